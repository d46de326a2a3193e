package loops

import (
	"context"

	"payments"
)

// Nothing but its own end cancels the context.
func endedAlone(c *payments.Client, o payments.Order) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for i := 0; i < 3; i++ { // want `retries c.Charge with no limit on the time: its context is context.Background\(\)`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

func endedWithin(c *payments.Client, o payments.Order) (err error) {
	charge := func() (err error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer func() { cancel() }()
		for i := 0; i < 3; i++ { // want `retries c.Charge with no limit on the time: its context is context.Background\(\)`
			if err = c.Charge(ctx, o); err == nil {
				return nil
			}
		}
		return err
	}
	return charge()
}
