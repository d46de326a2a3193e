package silent

import (
	"context"
	"net"
	"time"

	"payments"
)

func selects(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

func stops(stop chan struct{}, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		t := time.NewTimer(time.Second)
		select {
		case <-stop:
			t.Stop()
			return err
		case <-t.C:
		}
	}
	return err
}

func helper(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return err
}

func sleep(ctx context.Context, d time.Duration) error {
	if ctx.Done() == nil {
		time.Sleep(d)
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func successSleeps(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			time.Sleep(time.Second)
			return nil
		}
	}
	return err
}

func accept(ctx context.Context, l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		c.Close()
	}
}

func waitFor(ctx context.Context, ready func() bool) {
	for !ready() {
		time.Sleep(time.Second)
	}
}

func suppressed(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Millisecond) //nolint:blindsleep // short
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

// Each round is the next one of a number that is given; none is made again.
func soak(ctx context.Context, c *payments.Client, o payments.Order, rounds int) (failures int) {
	for i := 0; i < rounds; i++ {
		if ctx.Err() != nil {
			return failures
		}
		next := time.After(time.Second)
		if err := c.Charge(ctx, o); err != nil {
			failures++
			<-next
			continue
		}
		println("round", i)
		<-next
	}
	return failures
}
