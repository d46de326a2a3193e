package silent

import (
	"context"
	"time"

	"payments"
)

// A watchdog ends the context, be it when the caller's ends or when time is up.
func watched(outer context.Context, c *payments.Client, o payments.Order) (err error) {
	limited, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-outer.Done():
			cancel()
		case <-limited.Done():
			cancel()
		case <-done:
		}
	}()
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func timed(c *payments.Client, o payments.Order) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer time.AfterFunc(time.Minute, cancel).Stop()
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}
