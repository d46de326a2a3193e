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
