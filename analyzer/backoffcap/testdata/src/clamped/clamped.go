// Package clamped has waits that are limited where they are made, or grow by
// something other than a factor.
package clamped

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// The number of the attempts never gets far: its maker sees to it.
type Backoff struct {
	base time.Duration
	most uint
	n    uint
}

func New(base time.Duration, most uint) *Backoff {
	if most > 10 {
		most = 10
	}
	return &Backoff{base: base, most: most}
}

func (b *Backoff) NextBackoff() (time.Duration, bool) {
	if b.n >= b.most {
		return 0, false
	}
	d := b.base << b.n
	b.n++
	return d, true
}

type fibonacci struct{ last, next time.Duration }

func (f *fibonacci) NextBackoff() time.Duration {
	f.last, f.next = f.next, f.last+f.next // want `the wait that \(\*fibonacci\).NextBackoff computes grows without limit`
	return f.last
}

type limitedFibonacci struct{ last, next, most time.Duration }

func (f *limitedFibonacci) NextBackoff() time.Duration {
	f.last, f.next = f.next, f.last+f.next
	if f.next > f.most {
		f.next = f.most
	}
	return f.last
}

func FibonacciBackoff(base time.Duration, attempt int) time.Duration {
	a, b := base, base
	for range attempt {
		a, b = b, a+b // want `the wait that FibonacciBackoff computes grows without limit`
	}
	return a
}

func limitedFibonacciBackoff(base, most time.Duration, attempt int) time.Duration {
	a, b := base, base
	for range attempt {
		a, b = b, a+b
	}
	return min(a, most)
}

// Many may ask at the same time.
type shared struct {
	base time.Duration
	n    uint64
}

func (s *shared) NextBackoff() (time.Duration, bool) {
	return s.base << (atomic.AddUint64(&s.n, 1) - 1), false // want `the wait that \(\*shared\).NextBackoff computes doubles without limit`
}

type sharedCounter struct {
	base, most time.Duration
	n          atomic.Uint32
}

func (s *sharedCounter) NextBackoff() time.Duration {
	n := s.n.Add(1)
	if n > 10 {
		return s.most
	}
	return s.base << n
}

func fetch(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type getter struct{ attempts int }

func newGetter(attempts int) *getter {
	if attempts > 5 {
		attempts = 5
	}
	return &getter{attempts: attempts}
}

func (g *getter) get(ctx context.Context, url string) (err error) {
	for i := 0; i < g.attempts; i++ {
		if err = fetch(ctx, url); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second << i):
		}
	}
	return err
}

type anyGetter struct{ attempts int }

func newAnyGetter(attempts int) *anyGetter { return &anyGetter{attempts: attempts} }

func (g *anyGetter) get(ctx context.Context, url string) (err error) {
	for i := 0; i < g.attempts; i++ {
		if err = fetch(ctx, url); err == nil {
			return nil
		}
		select { // want `the wait before the next fetch doubles without limit`
		case <-ctx.Done():
			return err
		case <-time.After(time.Second << i):
		}
	}
	return err
}
