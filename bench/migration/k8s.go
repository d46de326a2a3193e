package migration

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/retrykit/retrykit/otelretry"
)

func k8sBefore(ctx context.Context, s *shop, order Order) (receipt Receipt, err error) {
	client := s.client
	//doc: k8s before
	err = wait.ExponentialBackoffWithContext(ctx, wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: .1, Steps: 4},
		func(ctx context.Context) (done bool, err error) {
			receipt, err = client.Charge(ctx, order)
			if isTransient(err) {
				return false, nil // the error is lost
			}
			return true, err
		})
	//doc:end
	return receipt, err
}

func k8sAfter(ctx context.Context, s *shop, order Order) (receipt Receipt, err error) {
	client, charge := s.client, s.charge
	//doc: k8s after
	err = charge.Run(ctx, func(ctx context.Context) (err error) {
		receipt, err = client.ChargeOnce(ctx, otelretry.IdempotencyKey(ctx), order)
		return err
	})
	//doc:end
	return receipt, err
}
