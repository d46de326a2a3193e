package migration

import (
	"context"
	"time"

	"github.com/avast/retry-go/v5"

	"github.com/retrykit/retrykit/otelretry"
)

func avastBefore(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client := s.client
	//doc: avast before
	receipt, err := retry.NewWithData[Receipt](retry.Context(ctx), retry.Attempts(4), retry.Delay(200*time.Millisecond),
		retry.MaxDelay(3*time.Second), retry.RetryIf(isTransient), retry.LastErrorOnly(true),
	).Do(func() (Receipt, error) { return client.Charge(ctx, order) })
	//doc:end
	return receipt, err
}

func avastAfter(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client, charge := s.client, s.charge
	//doc: avast after
	receipt, err := otelretry.Do(ctx, charge, func(ctx context.Context) (Receipt, error) {
		return client.ChargeOnce(ctx, otelretry.IdempotencyKey(ctx), order)
	})
	//doc:end
	return receipt, err
}
