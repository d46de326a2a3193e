package otelretry_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
)

// A tenth of a token, ten times, is one token, whatever ten additions round it
// to: the first retry comes with the request that completes the token, and the
// share is kept for as many requests as there are.
func TestShareBudgetIsExact(t *testing.T) {
	for _, share := range []float64{0.01, 0.05, 0.1, 0.15, 0.2, 0.3, 1.0 / 3, 0.7, 1} {
		budget, err := otelretry.NewShareBudget("b", share, 10)
		require.NoError(t, err)
		policy, err := otelretry.New("d", otelretry.WithBudget(budget), otelretry.WithBackoff(otelretry.NoWait()), otelretry.WithMaxAttempts(2), otelretry.WithoutTelemetry())
		require.NoError(t, err)
		op := policy.Operation("op")
		calls := 0
		for request := 1; request <= 10_000; request++ {
			_ = op.Run(t.Context(), func(context.Context) error { calls++; return statusError(429) })
			granted, earned := calls-request, int(math.Floor(float64(request)*share+1e-6))
			require.Equal(t, earned, granted, "share %v, request %d", share, request)
		}
		assert.GreaterOrEqual(t, budget.Utilization(), 0.0)
		assert.LessOrEqual(t, budget.Utilization(), 1.0)
	}
}
