package migration

import (
	"context"
	"time"

	"github.com/sethvargo/go-retry"

	"github.com/retrykit/retrykit/otelretry"
)

func sethvargoBefore(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client := s.client
	//doc: sethvargo before
	b := retry.NewExponential(200 * time.Millisecond) // stateful: one per call
	b = retry.WithMaxRetries(3, retry.WithJitterPercent(25, retry.WithCappedDuration(3*time.Second, b)))
	receipt, err := retry.DoValue(ctx, b, func(ctx context.Context) (Receipt, error) {
		r, err := client.Charge(ctx, order)
		if isTransient(err) {
			return r, retry.RetryableError(err)
		}
		return r, err
	})
	//doc:end
	return receipt, err
}

func sethvargoAfter(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client, charge := s.client, s.charge
	//doc: sethvargo after
	receipt, err := otelretry.Do(ctx, charge, func(ctx context.Context) (Receipt, error) {
		r, err := client.ChargeOnce(ctx, otelretry.IdempotencyKey(ctx), order)
		if isTransient(err) {
			return r, otelretry.Retryable(err) // only for what the list doesn't know
		}
		return r, err
	})
	//doc:end
	return receipt, err
}
