package fixed

import (
	"context"
	"time"

	"payments"
)

func single(ctx context.Context, c *payments.Client, o payments.Order) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.Charge(ctx, o); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second << i):
		}
	}
	return err
}

func several(ctx context.Context, c *payments.Client, id string) (*payments.Order, string, error) {
	for i := 0; i < 3; i++ {
		if o, err := c.Find(ctx, id); err == nil {
			return o, o.ID, nil
		}
		select {
		case <-ctx.Done():
			return nil, "", ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil, "", context.DeadlineExceeded
}

func nothing(ctx context.Context, c *payments.Client, o payments.Order) {
	for i := 0; i < 3; i++ {
		if err := c.Charge(ctx, o); err == nil {
			return
		}
		if i < 2 {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
	}
}

// No error among the results: there is no right return.
func noError(ctx context.Context, c *payments.Client, o payments.Order) bool {
	for i := 0; i < 3; i++ {
		if err := c.Charge(ctx, o); err == nil {
			return true
		}
		time.Sleep(time.Second) // want `with time.Sleep`
	}
	return false
}

// The zero value of a struct is written with its type.
func value(ctx context.Context, c *payments.Client, id string) (payments.Order, error) {
	for i := 0; i < 3; i++ {
		if o, err := c.Find(ctx, id); err == nil {
			return *o, nil
		}
		select {
		case <-ctx.Done():
			return payments.Order{}, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return payments.Order{}, context.Canceled
}
