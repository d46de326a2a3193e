package silent

import (
	"context"
	"net/http"
	"time"

	"payments"
)

func callers(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func whole(c *payments.Client, o payments.Order) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func perAttempt(c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err = c.Charge(ctx, o)
		cancel()
		if err == nil {
			return nil
		}
	}
	return err
}

func elapsed(c *payments.Client, o payments.Order) (err error) {
	start := time.Now()
	for time.Since(start) < time.Minute {
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
	}
	return err
}

func deadline(c *payments.Client, o payments.Order) (err error) {
	deadline := time.Now().Add(time.Minute)
	for {
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

func clientTimeout(url string) (resp *http.Response, err error) {
	client := &http.Client{Timeout: time.Second}
	for i := 0; i < 3; i++ {
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func unknownClient(client *http.Client, url string) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ {
		if resp, err = client.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func timerEnds(c *payments.Client, o payments.Order) (err error) {
	timeout := time.After(time.Minute)
	for {
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		select {
		case <-timeout:
			return err
		case <-time.After(time.Second):
		}
	}
}

func helperLimits(c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = once(context.Background(), c, o); err == nil {
			return nil
		}
	}
	return err
}

func once(ctx context.Context, c *payments.Client, o payments.Order) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return c.Charge(ctx, o)
}

func suppressed(c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { //nolint:nodeadline // the operator stops it
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
	}
	return err
}

type queue struct {
	done    chan struct{}
	started bool
}

func (q *queue) first(c *payments.Client) error {
	_, err := c.Find(context.Background(), "first")
	return err
}

// A worker that takes one after the other until it is closed; a goto to the
// start of its loop is a continue.
func (q *queue) pull(c *payments.Client, o payments.Order) {
	var delay time.Duration
	for {
	NEXT:
		select {
		case <-q.done:
			return
		default:
		}
		if delay > 0 {
			time.Sleep(delay)
		}
		delay = 0
		if !q.started {
			if err := q.first(c); err != nil {
				delay = time.Second
				goto NEXT
			}
			q.started = true
		}
		if err := c.Charge(context.Background(), o); err != nil {
			delay = time.Second
			goto NEXT
		}
		println("charged")
	}
}

type member struct {
	client *payments.Client
	left   chan struct{}
}

// It lives as long as the member does, and nobody waits for it.
func (m *member) rejoin(o payments.Order) {
	ctx := context.Background()
	for {
		select {
		case <-m.left:
			return
		default:
		}
		if err := m.client.Charge(ctx, o); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}
