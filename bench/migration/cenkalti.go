package migration

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/retrykit/retrykit/otelretry"
)

func cenkaltiBefore(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client := s.client
	//doc: cenkalti before
	receipt, err := backoff.Retry(ctx, func() (Receipt, error) {
		r, err := client.Charge(ctx, order)
		if errors.Is(err, ErrDeclined) {
			return r, backoff.Permanent(err)
		}
		return r, err
	}, backoff.WithMaxTries(4), backoff.WithMaxElapsedTime(15*time.Second))
	//doc:end
	return receipt, err
}

func cenkaltiAfter(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client, charge := s.client, s.charge
	//doc: cenkalti after
	receipt, err := otelretry.Do(ctx, charge, func(ctx context.Context) (Receipt, error) {
		return client.ChargeOnce(ctx, otelretry.IdempotencyKey(ctx), order) // ErrDeclined isn't on the list: it comes back at once
	})
	//doc:end
	return receipt, err
}
