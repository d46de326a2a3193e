package otelretry_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// What was not retried says whether a retry would not have helped, or might have
// done the same thing twice: the way out is another one.
func TestNotRetryableSaysWhy(t *testing.T) {
	const (
		permanent = "payments charge: not retryable (the failure is permanent) after 1 attempt in 0s: "
		unknown   = "payments charge: not retryable (no classifier knows the failure) after 1 attempt in 0s: "
		ambiguous = "payments charge: not retryable (the server may have acted, and the operation is neither idempotent nor sends a key) after 1 attempt in 0s: "
	)
	odd := errors.New("odd")
	for name, tt := range map[string]struct {
		err     error
		options []otelretry.Option
		want    string
	}{
		"status":               {err: statusError(404), want: permanent},
		"marked as permanent":  {err: otelretry.Permanent(odd), want: permanent},
		"unknown":              {err: odd, want: unknown},
		"lost answer":          {err: statusError(503), want: ambiguous},
		"marked as ambiguous":  {err: otelretry.Ambiguous(odd), want: ambiguous},
		"other outcome, as is": {err: otelretry.Retryable(odd), options: []otelretry.Option{otelretry.WithMaxAttempts(1)}, want: "payments charge: attempts exhausted after 1 attempt in 0s: "},
	} {
		t.Run(name, func(t *testing.T) {
			policy, err := otelretry.New("payments", append(tt.options, otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())...)
			require.NoError(t, err)
			err = policy.Operation("charge").Run(t.Context(), func(context.Context) error { return tt.err })
			assert.EqualError(t, err, tt.want+tt.err.Error())
			assert.Equal(t, tt.want[:30] == permanent[:30], errors.Is(err, otelretry.ErrNotRetryable))
		})
	}
}

// A function that panicked failed in no class.
func TestPanicHasNoClass(t *testing.T) {
	var observed error
	policy, err := otelretry.New("payments", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry(),
		otelretry.WithObserver(func(e otelretry.Event) {
			if e.Kind == otelretry.RequestEnded {
				observed = e.Err
			}
		}))
	require.NoError(t, err)
	assert.Panics(t, func() { _ = policy.Operation("charge").Run(t.Context(), func(context.Context) error { panic("x") }) })
	assert.EqualError(t, observed, "payments charge: not retryable after 1 attempt in 0s: the function panicked")
}
