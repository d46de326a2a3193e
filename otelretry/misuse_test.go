package otelretry_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
)

// What a program can get wrong only by being wrong is a panic that says so, as
// context.WithCancel's for a nil parent, and not a nil dereference within.
func TestWhatIsNilIsNamed(t *testing.T) {
	for _, options := range [][]otelretry.Option{nil, {otelretry.WithoutTelemetry(), otelretry.WithBareFirstAttempt()}} {
		policy, err := otelretry.New("d", options...)
		require.NoError(t, err)
		op, ctx := policy.Operation("o", otelretry.Idempotent()), context.Background()
		var none context.Context
		fn := func(context.Context) (int, error) { return 1, nil }
		run := func(context.Context) error { return nil }

		assert.PanicsWithValue(t, "otelretry: Do: the context is nil", func() { _, _ = otelretry.Do(none, op, fn) })
		assert.PanicsWithValue(t, "otelretry: Do: the operation is nil", func() { _, _ = otelretry.Do(ctx, nil, fn) })
		assert.PanicsWithValue(t, "otelretry: Do: the function is nil", func() { _, _ = otelretry.Do[int](ctx, op, nil) })
		assert.PanicsWithValue(t, "otelretry: Run: the context is nil", func() { _ = op.Run(none, run) })
		assert.PanicsWithValue(t, "otelretry: Run: the operation is nil", func() { _ = (*otelretry.Operation)(nil).Run(ctx, run) })
		assert.PanicsWithValue(t, "otelretry: Run: the function is nil", func() { _ = op.Run(ctx, nil) })
		assert.PanicsWithValue(t, "otelretry: DoHedged: the context is nil", func() { _, _ = otelretry.DoHedged(none, op, fn) })
		assert.PanicsWithValue(t, "otelretry: DoHedged: the operation is nil", func() { _, _ = otelretry.DoHedged(ctx, nil, fn) })
		assert.PanicsWithValue(t, "otelretry: DoHedged: the function is nil", func() { _, _ = otelretry.DoHedged[int](ctx, op, nil) })
	}
	const unmade = `otelretry: Operation "o" of a policy that New didn't make: check the error of New`
	policy, err := otelretry.New("") // whose error a program overlooked
	require.Error(t, err)
	assert.PanicsWithValue(t, unmade, func() { policy.Operation("o") })
	assert.PanicsWithValue(t, unmade, func() { new(otelretry.Policy).Operation("o") })
}

func TestAnOperationWithoutANameIsTheOther(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("", nil)
	assert.Equal(t, "_OTHER", op.Name())
	require.NoError(t, op.Run(t.Context(), script()))
	recorder.AssertOutcomes("_OTHER", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1})
}

func TestANilOptionIsAnError(t *testing.T) {
	_, err := otelretry.New("d", nil)
	require.ErrorContains(t, err, "an option is nil")
}
