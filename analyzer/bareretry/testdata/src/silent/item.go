package silent

import (
	"context"

	"payments"
)

// Each round is about another order, whose number the one that is sent is told.
func each(ctx context.Context, c *payments.Client, ids []string) (err error) {
	input := &payments.Order{}
	for _, id := range ids {
		input.ID = id
		if err = c.Charge(ctx, *input); err == nil {
			return nil
		}
	}
	return err
}
