// Package helped waits in functions of its own.
package helped

import (
	"context"
	"math"
	"math/rand"
	"net/http"
	"time"
)

func ask(ctx context.Context, url string) error {
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

func pauseFor(base, most time.Duration, attempt int, stop <-chan struct{}) bool {
	d := time.Duration(base.Seconds()*math.Pow(2, float64(attempt))) * time.Second
	if most > 0 && d > most {
		d = most
	}
	select {
	case <-time.After(d):
		return true
	case <-stop:
		return false
	}
}

func pause(base time.Duration, attempt int, stop <-chan struct{}) bool {
	return pauseFor(base, time.Minute, attempt, stop)
}

func direct(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 5; attempt++ {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		if !pauseFor(time.Second, time.Minute, attempt, ctx.Done()) { // want `the wait before the next ask is growing but the same for every client`
			return ctx.Err()
		}
	}
	return err
}

func through(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 5; attempt++ {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		if !pause(time.Second, attempt, ctx.Done()) { // want `the wait before the next ask is growing but the same for every client`
			return ctx.Err()
		}
	}
	return err
}

// The helper grows what it is handed a pointer to.
func rest(delay *time.Duration) {
	time.Sleep(*delay)
	*delay *= 2
}

func handed(ctx context.Context, url string) (err error) {
	delay := time.Second
	for range 5 {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		rest(&delay) // want `the wait before the next ask is growing but the same for every client`
	}
	return err
}

func restAtRandom(delay *time.Duration) {
	time.Sleep(time.Duration(rand.Int63n(int64(*delay))))
	*delay *= 2
}

func handedAtRandom(ctx context.Context, url string) (err error) {
	delay := time.Second
	for range 5 {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		restAtRandom(&delay)
	}
	return err
}

func pauseAtRandom(base time.Duration, attempt int, stop <-chan struct{}) bool {
	return pauseFor(base+time.Duration(rand.Int63n(int64(base))), time.Minute, attempt, stop)
}

func throughRandom(ctx context.Context, url string) (err error) {
	for attempt := 0; attempt < 5; attempt++ {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		if !pauseAtRandom(time.Second, attempt, ctx.Done()) {
			return ctx.Err()
		}
	}
	return err
}

// What the maker of the client says is not known.
type client struct{ backoff func(int) time.Duration }

func (c *client) rest(n int) { time.Sleep(c.backoff(n)) }

func (c *client) asked(ctx context.Context, url string) (err error) {
	for n := range 5 {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		c.rest(n)
	}
	return err
}
