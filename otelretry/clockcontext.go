package otelretry

import (
	"context"
	"sync"
	"time"
)

// clockContext is context.WithDeadlineCause for a Clock of the caller's.
type clockContext struct {
	context.Context // ends with the parent, or by cancel
	deadline        time.Time

	mu      sync.Mutex
	expired bool
}

func newClockContext(parent context.Context, clock Clock, d time.Duration, cause error) (context.Context, func()) {
	inner, cancel := context.WithCancelCause(parent)
	c := &clockContext{Context: inner, deadline: clock.Now().Add(d)}
	expire := func() {
		c.mu.Lock()
		c.expired = inner.Err() == nil
		c.mu.Unlock()
		cancel(cause)
	}
	if d <= 0 {
		expire()
		return c, func() {}
	}
	stop := clock.AfterFunc(d, expire)
	return c, func() {
		stop()
		cancel(context.Canceled)
	}
}

func (c *clockContext) Deadline() (time.Time, bool) {
	if parents, ok := c.Context.Deadline(); ok && parents.Before(c.deadline) {
		return parents, true
	}
	return c.deadline, true
}

func (c *clockContext) Err() error {
	err := c.Context.Err()
	if err == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expired {
		return context.DeadlineExceeded
	}
	return err
}
