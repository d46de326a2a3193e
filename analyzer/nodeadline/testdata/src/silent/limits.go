package silent

import (
	"context"
	"time"

	"limits"
	"payments"
)

// The attempts are counted, and another package gives each its time.
func limitedEach(c *payments.Client, o payments.Order) (err error) {
	for range 3 {
		err = limits.WithTimeout(context.Background(), time.Second, func(ctx context.Context) error { return c.Charge(ctx, o) })
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
