package silent

import (
	"context"
	"time"

	"payments"
)

const done time.Duration = -1

// A Policy says when there is no other attempt.
type Policy interface {
	NextDelay() time.Duration
}

func retryBy(ctx context.Context, op func() error, p Policy) error {
	for {
		err := op()
		if err == nil {
			return nil
		}
		next := p.NextDelay()
		if next == done {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(next):
		}
	}
}

// The policy may end it.
func byPolicy(c *payments.Client, o payments.Order, p Policy) error {
	ctx := context.Background()
	return retryBy(ctx, func() error { return c.Charge(ctx, o) }, p)
}
