package fix

import (
	"context"
	"time"

	"payments"
)

func direct(c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ { // want `its context is context.Background`
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func variable(c *payments.Client, o payments.Order) (err error) {
	ctx := context.Background()
	for i := 0; i < 3; i++ { // want `its context is context.Background`
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
	}
	return err
}

// The context is used after the retry, which the timeout would limit too.
func usedAfter(c *payments.Client, o payments.Order) (err error) {
	ctx := context.Background()
	for i := 0; i < 3; i++ { // want `its context is context.Background`
		if err = c.Charge(ctx, o); err == nil {
			break
		}
	}
	_, err = c.Find(ctx, o.ID)
	return err
}

// A deferred cancel would pile up in the outer loop.
func inLoop(c *payments.Client, orders []payments.Order) (err error) {
	for _, o := range orders {
		for i := 0; i < 3; i++ { // want `its context is context.Background`
			if err = c.Charge(context.Background(), o); err == nil {
				break
			}
		}
	}
	return err
}

// It goes on for as long as it fails, with a context that has ended too.
func endless(c *payments.Client, o payments.Order) (err error) {
	for { // want `its context is context.Background`
		if err = c.Charge(context.Background(), o); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}
