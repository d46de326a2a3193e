package migration

import (
	"context"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"github.com/retrykit/retrykit/otelretry"
)

func failsafeBefore(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client := s.client
	breaker := circuitbreaker.NewBuilder[Receipt]().WithFailureThreshold(10).Build()
	//doc: failsafe before
	policy := retrypolicy.NewBuilder[Receipt]().
		HandleIf(func(_ Receipt, err error) bool { return isTransient(err) }).
		WithMaxAttempts(4).WithBackoff(200*time.Millisecond, 3*time.Second).WithJitterFactor(.25).Build()
	receipt, err := failsafe.With(policy, breaker).WithContext(ctx).GetWithExecution(
		func(e failsafe.Execution[Receipt]) (Receipt, error) { return client.Charge(e.Context(), order) })
	//doc:end
	return receipt, err
}

func failsafeAfter(ctx context.Context, s *shop, order Order) (Receipt, error) {
	client, charge := s.client, s.charge
	//doc: failsafe after
	receipt, err := otelretry.Do(ctx, charge, func(ctx context.Context) (Receipt, error) {
		return client.ChargeOnce(ctx, otelretry.IdempotencyKey(ctx), order)
	})
	//doc:end
	return receipt, err
}
