package loops

import (
	"context"
	"time"

	"payments"
)

func retryAlways(ctx context.Context, op func() error) error {
	for {
		err := op()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// Nothing ends it but a context that has no end.
func always(c *payments.Client, o payments.Order) error {
	ctx := context.Background()
	return retryAlways(ctx, func() error { return c.Charge(ctx, o) }) // want `its context is context.Background`
}
