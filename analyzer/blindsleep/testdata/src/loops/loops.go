package loops

import (
	"context"
	"net/http"
	"time"

	"payments"
)

func parameter(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying c.Charge, so a cancelled ctx still waits it out; select on the timer and ctx.Done\(\)`
	}
	return err
}

func after(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		<-time.After(time.Duration(i) * time.Second) // want `waits for time.After alone before retrying c.Charge`
	}
	return err
}

func timer(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	t := time.NewTimer(0)
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		t.Reset(time.Second)
		<-t.C // want `waits 1s for a timer alone`
	}
	return err
}

func selectOfOne(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		select { // want `waits 1s for a timer alone`
		case <-time.After(time.Second):
		}
	}
	return err
}

func waitFirst(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if i > 0 {
			time.Sleep(time.Second) // want `with time.Sleep`
		}
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func waitInPost(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; time.Sleep(time.Second) { // want `with time.Sleep`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		i++
	}
	return err
}

func helper(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		pause(2 * time.Second) // want `waits 2s in pause before retrying`
	}
	return err
}

func pause(d time.Duration) { time.Sleep(d) }

func request(w http.ResponseWriter, r *http.Request, call func() error) {
	for i := 0; i < 3; i++ {
		if call() == nil {
			return
		}
		time.Sleep(time.Second) // want `a cancelled r.Context\(\) still waits it out`
	}
}

type session struct {
	ctx context.Context
	c   *payments.Client
}

func (s *session) charge(o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = s.c.Charge(s.ctx, o); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `a cancelled s.ctx still waits it out`
	}
	return err
}

func none(op func() error) (err error) {
	for i := 0; i < 3; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `nothing can interrupt it; take a context`
	}
	return err
}

func pollIgnoresItsContext(ctx context.Context, c *payments.Client) error {
	for {
		o, err := c.Find(ctx, "1")
		if err != nil {
			return err
		}
		if o.ID == "done" {
			return nil
		}
		time.Sleep(time.Second) // want `with time.Sleep`
	}
}

type clock interface{ Sleep(d time.Duration) }

func clocked(ctx context.Context, k clock, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		k.Sleep(time.Second) // want `waits 1s in Sleep`
	}
	return err
}

type runtime interface{ Sleep(seconds *int) }

// The time to wait is a number of seconds.
func counting(ctx context.Context, r runtime, c *payments.Client, o payments.Order, seconds int) (err error) {
	for i := 0; i < 3; i++ {
		if i > 0 {
			r.Sleep(&seconds) // want `waits in Sleep`
		}
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

// The caller's condition answers false, nil for a failure that may pass.
func backoffUntil(steps int, condition func() (bool, error)) error {
	for steps > 0 {
		if ok, err := condition(); err != nil || ok {
			return err
		}
		steps--
		time.Sleep(time.Second) // want `nothing can interrupt it`
	}
	return context.DeadlineExceeded
}
