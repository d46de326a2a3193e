package otelretry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestDoRetriesUntilSuccess(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	policy, err := otelretry.New("payments", otelretry.WithClock(clock),
		otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second)))
	require.NoError(t, err)
	op := policy.Operation("charge")

	var keys []string
	var numbers []int
	got, err := otelretry.Do(t.Context(), op, func(ctx context.Context) (string, error) {
		keys = append(keys, otelretry.IdempotencyKey(ctx))
		numbers = append(numbers, otelretry.AttemptNumber(ctx))
		if len(keys) < 3 {
			return "", otelretry.Retryable(errors.New("down"))
		}
		return "receipt", nil
	})

	require.NoError(t, err)
	assert.Equal(t, "receipt", got)
	assert.Equal(t, []int{1, 2, 3}, numbers)
	assert.Equal(t, keys[0], keys[1])
	assert.Equal(t, keys[0], keys[2])
	assert.Len(t, keys[0], 36)
	assert.Equal(t, []time.Duration{200 * time.Millisecond, 400 * time.Millisecond}, clock.Waits())
}

func TestErrorSaysWhyAfterHowManyAttemptsAndHowLong(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	policy, err := otelretry.New("payments", otelretry.WithClock(clock), otelretry.WithMaxAttempts(3),
		otelretry.WithBackoff(otelretry.Constant(time.Second)))
	require.NoError(t, err)
	down := errors.New("down")

	err = policy.Operation("charge").Run(t.Context(), func(context.Context) error { return otelretry.Retryable(down) })

	require.ErrorIs(t, err, otelretry.ErrExhausted)
	require.ErrorIs(t, err, down)
	var failure *otelretry.Error
	require.ErrorAs(t, err, &failure)
	assert.Equal(t, 3, failure.Attempts)
	assert.Equal(t, 2*time.Second, failure.Elapsed)
	assert.Equal(t, otelretry.AttemptsExhausted, failure.Reason)
	assert.EqualError(t, err, "payments charge: attempts exhausted after 3 attempts in 2s: down")
}
