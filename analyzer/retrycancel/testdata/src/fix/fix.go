package fix

import (
	"context"
	"time"
)

type store interface {
	Put(ctx context.Context, key string) error
	Get(ctx context.Context, key string) (string, error)
}

func joined(ctx context.Context, s store) error {
	var err error
	for range 5 { // want `even when ctx has ended`
		if err = s.Put(ctx, "k"); err == nil {
			return nil
		}
	}
	return err
}

// The fix of the wait is enough.
func waits(ctx context.Context, s store) error {
	var err error
	for range 5 { // want `even when ctx has ended`
		if err = s.Put(ctx, "k"); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func inner(ctx context.Context, s store) (string, error) {
	for { // want `even when ctx has ended`
		v, err := s.Get(ctx, "k")
		if err == nil {
			return v, nil
		}
	}
}

func compared(ctx context.Context, s store) error {
	for {
		err := s.Put(ctx, "k")
		if err == nil {
			return nil
		}
		if err == context.DeadlineExceeded { // want `after the error of a context that it shares`
			continue
		}
		return err
	}
}

type worker struct {
	ctx context.Context
	s   store
	out chan string
}

func (w *worker) run() {
	for { // want `goes on calling`
		v, err := w.s.Get(w.ctx, "k")
		if err != nil {
			continue
		}
		w.out <- v
	}
}

// What follows the loop would be skipped: no fix.
func followed(ctx context.Context, s store, done func()) {
	for range 5 { // want `even when ctx has ended`
		if err := s.Put(ctx, "k"); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	done()
}

// The context is made in the loop: no fix.
func made(ctx context.Context, s store, tag any) error {
	for range 5 { // want `even when ctx has ended`
		ctx := context.WithValue(ctx, tag, 1)
		if err := s.Put(ctx, "k"); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return context.DeadlineExceeded
}

// A bool can't say why it gave up: no fix.
func told(ctx context.Context, s store) bool {
	for range 5 { // want `even when ctx has ended`
		if err := s.Put(ctx, "k"); err == nil {
			return true
		}
		time.Sleep(time.Second)
	}
	return false
}
