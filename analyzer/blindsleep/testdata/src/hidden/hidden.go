// Package hidden waits where one doesn't look for it.
package hidden

import (
	"context"
	"errors"
	"net/http"
	"time"
)

var errBusy = errors.New("busy")

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

type client struct {
	left  int
	delay time.Duration
}

// The predicate waits before it says yes.
func (c *client) shouldRetry(err error) bool {
	if err == nil || c.left == 0 {
		return false
	}
	c.left--
	time.Sleep(c.delay)
	return true
}

func (c *client) predicate(ctx context.Context, url string) error {
	for {
		err := ask(ctx, url)
		if !c.shouldRetry(err) { // want `waits in shouldRetry before retrying ask`
			return err
		}
	}
}

func (c *client) mayRetry(ctx context.Context, err error) bool {
	if err == nil || c.left == 0 {
		return false
	}
	c.left--
	select {
	case <-ctx.Done():
		return false
	case <-time.After(c.delay):
		return true
	}
}

func (c *client) quickPredicate(ctx context.Context, url string) error {
	for {
		err := ask(ctx, url)
		if !c.mayRetry(ctx, err) {
			return err
		}
	}
}

// A handler says whether to go on.
type handler interface {
	Required(err error) bool
}

type counting struct{ left int }

func (c *counting) Required(err error) bool {
	if c.left == 0 || !errors.Is(err, errBusy) {
		return false
	}
	c.left--
	time.Sleep(time.Second)
	return true
}

type invoker struct{ handler handler }

func (i *invoker) resolve(err error) bool {
	return i.handler.Required(err)
}

func (i *invoker) direct(ctx context.Context, url string) error {
	for {
		err := ask(ctx, url)
		if err == nil {
			return nil
		}
		if !i.handler.Required(err) { // want `waits in Required before retrying ask`
			return err
		}
	}
}

func (i *invoker) through(ctx context.Context, url string) error {
	for {
		err := ask(ctx, url)
		if err == nil {
			return nil
		}
		if !i.resolve(err) { // want `waits in resolve before retrying ask`
			return err
		}
	}
}

// Of two that are there, one doesn't sleep.
type pauser interface {
	Rest(err error) bool
}

type sleeping struct{}

func (sleeping) Rest(err error) bool {
	time.Sleep(time.Second)
	return err != nil
}

type eager struct{}

func (eager) Rest(err error) bool { return err != nil }

func either(ctx context.Context, url string, p pauser) error {
	for {
		err := ask(ctx, url)
		if err == nil || !p.Rest(err) {
			return err
		}
	}
}

// The helper grows the delay that it waits.
func restLonger(delay *time.Duration) {
	time.Sleep(*delay)
	*delay *= 2
}

func grown(ctx context.Context, url string) (err error) {
	delay := time.Second
	for i := 0; i < 5; i++ {
		if err = ask(ctx, url); err == nil {
			return nil
		}
		restLonger(&delay) // want `waits in restLonger before retrying ask`
	}
	return err
}

// One that is made of others of its kind, and asks them.
type chain interface{ Again(err error) bool }

type chained struct{ next chain }

func (c *chained) Again(err error) bool {
	return c.next.Again(err) && ask(context.Background(), "") == nil
}

func asked(ctx context.Context, url string, c chain) error {
	for {
		err := ask(ctx, url)
		if err == nil || !c.Again(err) {
			return err
		}
	}
}
