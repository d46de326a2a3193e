package otelretrygobreaker_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sony/gobreaker/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrygobreaker"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

type statusError int

func (s statusError) Error() string   { return fmt.Sprintf("status %d", int(s)) }
func (s statusError) StatusCode() int { return int(s) }

func tripAfter(n uint32) gobreaker.Settings {
	return gobreaker.Settings{Name: "test", Timeout: time.Hour, ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= n }}
}

func TestWhatOpensTheBreaker(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		open bool
	}{
		"success":                 {nil, false},
		"unknown error":           {errors.New("no"), true},
		"not found":               {statusError(404), false},
		"wrapped not found":       {fmt.Errorf("get: %w", statusError(404)), false},
		"too many requests":       {statusError(429), true},
		"request timeout":         {statusError(408), true},
		"internal server error":   {statusError(500), true},
		"unavailable":             {statusError(503), true},
		"canceled by the caller":  {context.Canceled, false},
		"attempt's time was over": {context.DeadlineExceeded, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			breaker := otelretrygobreaker.New(tripAfter(3))
			for range 3 {
				done, err := breaker.Allow()
				require.NoError(t, err)
				done(tt.err)
			}
			_, err := breaker.Allow()
			if tt.open {
				require.ErrorIs(t, err, gobreaker.ErrOpenState)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func TestAnOpenBreakerStopsRetries(t *testing.T) {
	t.Parallel()
	recorder := otelretrytest.NewRecorder(t)
	policy, err := otelretry.New("test", append(recorder.Options(), otelretry.WithMaxAttempts(10),
		otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutDeadline(),
		otelretry.WithBreaker(otelretrygobreaker.New(tripAfter(2))))...)
	require.NoError(t, err)
	op := policy.Operation("get", otelretry.Idempotent())
	attempts := 0
	run := func() error {
		return op.Run(t.Context(), func(context.Context) error { attempts++; return statusError(503) })
	}
	err = run()
	require.ErrorIs(t, err, otelretry.ErrBreaker)
	require.ErrorIs(t, err, gobreaker.ErrOpenState)
	var status statusError
	require.ErrorAs(t, err, &status, "the last answer is still to be seen")
	assert.Equal(t, 2, attempts)

	require.ErrorIs(t, run(), otelretry.ErrBreaker)
	assert.Equal(t, 2, attempts, "nothing is sent while the breaker is open")
	recorder.AssertOutcomes("get", map[otelretry.Outcome]int{otelretry.BreakerOpen: 2})
}

func ExampleNew() {
	breaker := otelretrygobreaker.New(gobreaker.Settings{
		Name:        "payments",
		Timeout:     30 * time.Second,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures > 10 },
	})
	payments, err := otelretry.New("payments", otelretry.WithBreaker(breaker))
	if err != nil {
		panic(err)
	}
	err = payments.Operation("charge").Run(context.Background(), func(context.Context) error { return nil })
	fmt.Println(err)
	// Output: <nil>
}
