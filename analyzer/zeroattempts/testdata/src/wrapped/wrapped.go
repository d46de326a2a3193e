// Package wrapped wraps what it returns.
package wrapped

import (
	"context"
	"time"

	"wrapped/errors"
)

type client struct {
	ctx context.Context
	max int
}

type option func(*client)

func WithMax(n int) option { return func(c *client) { c.max = n } }

func (c *client) try(f func() error) error {
	var err error
	for i := 0; i < c.max; i++ { // want `max comes from outside and may be zero or less`
		if err = f(); err == nil {
			return nil
		}
		select {
		case <-c.ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
	return errors.WithStack(err)
}

func (c *client) tell(f func() error) error {
	var err error
	for i := 0; i < c.max; i++ {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.Errorf("gave up: %v", err)
}

type trip struct{ attempts int }

// One of what may be left out.
func newTrip(attempts ...int) *trip {
	t := &trip{attempts: 1}
	if len(attempts) == 1 {
		t.attempts = attempts[0]
	}
	return t
}

func (t *trip) run(f func() error) error {
	var err error
	for i := 0; i < t.attempts; i++ { // want `attempts comes from outside and may be zero or less`
		if err = f(); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}
