package silent

import (
	"errors"
	"fmt"

	"budget"
	"payments"
)

// Whoever waits is told what failed, and may end it.
func told(b *budget.Backoffer, c *payments.Client, o payments.Order) error {
	for {
		err := c.Charge(b.Context(), o)
		if err == nil {
			return nil
		}
		err = b.Backoff(fmt.Errorf("charge: %w", err))
		if err != nil {
			return err
		}
	}
}

// What a test switches on is no attempt at anything.
func switched(b *budget.Backoffer, c *payments.Client, o payments.Order) error {
	for {
		if _, err := budget.EvalFailpoint(b.Context(), "chargeConflict"); err == nil {
			return errors.New("conflict")
		}
		done, err := charged(b, c, o)
		if err != nil || done {
			return err
		}
	}
}

func charged(b *budget.Backoffer, c *payments.Client, o payments.Order) (bool, error) {
	err := c.Charge(b.Context(), o)
	return err == nil, b.Backoff(err)
}
