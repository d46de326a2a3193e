package retriers

import (
	"context"
	"errors"
	"time"
)

var ErrStop = errors.New("stop")

func Do(ctx context.Context, op func(context.Context) error) (err error) { // want Do:`retrier\(closure=1, attempts=3, follows\)`
	for i := 0; i < 3; i++ {
		if err = op(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
	return err
}

func Counted(n int, op func() error) (err error) { // want Counted:`retrier\(closure=1, counted, inspects\)`
	for range n {
		if err = op(); err == nil || errors.Is(err, ErrStop) {
			return err
		}
	}
	return err
}

func Until(op func() error, limit time.Duration) (err error) { // want Until:`retrier\(closure=0, deadline\)`
	start := time.Now()
	for time.Since(start) < limit {
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

// Wrapped retries through another retrier of the package.
func Wrapped(ctx context.Context, op func() error) error { // want Wrapped:`retrier\(closure=1, attempts=3`
	return Do(ctx, func(context.Context) error { return op() })
}

func Value[T any](op func() (T, error)) (v T, err error) { // want Value:`retrier\(closure=0, attempts=5\)`
	for i := 0; i < 5; i++ {
		if v, err = op(); err == nil {
			return v, nil
		}
	}
	return v, err
}

// Declared can't be inferred.
//
//retrylint:retrier closure=0 attempts=4 deadline jitter
func Declared(op func() error) error { // want Declared:`retrier\(closure=0, attempts=4, deadline, jitter\)`
	return schedule(op)
}

var schedule func(func() error) error

// Once runs what it is given once.
func Once(op func() error) error { return op() }

// Each runs it for each item.
func Each(items []string, op func(string) error) error {
	for _, it := range items {
		if err := op(it); err != nil {
			continue
		}
	}
	return nil
}

func Pause(d time.Duration) { // want Pause:`sleeper\(blind, duration=0\)`
	time.Sleep(d)
}

func PauseTwice() { // want PauseTwice:`sleeper\(blind\)`
	Pause(time.Second)
}

func Wait(ctx context.Context, d time.Duration) error { // want Wait:`sleeper\(follows, duration=1\)`
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Background sleeps in a goroutine of its own.
func Background() {
	go func() { time.Sleep(time.Second) }()
}

// Condition runs a condition until it says yes; an error ends it.
func Condition(n int, done func() (bool, error)) error { // want Condition:`retrier\(closure=1, counted, inspects, condition\)`
	for range n {
		if ok, err := done(); err != nil || ok {
			return err
		}
		time.Sleep(time.Second)
	}
	return errors.New("timed out")
}

// Swallows retries what its condition keeps to itself.
func Swallows(op func() error, again func(error) bool) (err error) { // want Swallows:`retrier\(closure=0`
	Condition(5, func() (bool, error) {
		err = op()
		if again(err) {
			return false, nil
		}
		return true, err
	})
	return err
}

// Told hands the error on, which ends the waiting.
func Told(op func() error) error {
	return Condition(5, func() (bool, error) {
		if err := op(); err != nil {
			return false, err
		}
		return true, nil
	})
}

// Stops goes on after a failure that its function doesn't call final.
func Stops(op func() (stop bool, err error)) error { // want Stops:`retrier\(closure=0, inspects\)`
	for {
		stop, err := op()
		if stop {
			return err
		}
		time.Sleep(time.Second)
	}
}
