package otelretry_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
)

func TestAttemptTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithAttemptTimeout(800*time.Millisecond),
			otelretry.WithDeadline(10*time.Second), otelretry.WithBackoff(otelretry.Constant(time.Second)), otelretry.WithMaxAttempts(2))
		require.NoError(t, err)
		op := policy.Operation("o", otelretry.Idempotent())
		start := time.Now()

		err = op.Run(t.Context(), func(ctx context.Context) error {
			deadline, ok := ctx.Deadline()
			assert.True(t, ok)
			assert.Equal(t, 800*time.Millisecond, time.Until(deadline))
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			<-child.Done()
			assert.Equal(t, context.DeadlineExceeded, ctx.Err())
			assert.Equal(t, context.DeadlineExceeded, child.Err())
			assert.Equal(t, otelretry.ErrAttemptTimeout, context.Cause(child))
			return errors.New("a driver's own words for it")
		})

		require.ErrorIs(t, err, otelretry.ErrExhausted, "not mistaken for the caller's")
		assert.Equal(t, 2600*time.Millisecond, time.Since(start))
	})
}

func TestAttemptTimeoutIsToldApart(t *testing.T) {
	policy, recorder, clock := recorded(t, otelretry.WithAttemptTimeout(800*time.Millisecond), otelretry.WithMaxAttempts(2))
	err := policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), func(ctx context.Context) error {
		return clock.Work(ctx, time.Second)
	})
	require.ErrorIs(t, err, otelretry.ErrExhausted)
	require.ErrorIs(t, err, context.DeadlineExceeded, "the last error")
	assert.Equal(t, 1800*time.Millisecond, clock.Elapsed(), "two attempts of 0.8 s and a wait of 0.2 s")
	for _, attempt := range recorder.Requests()[0].Attempts {
		assert.Equal(t, "attempt_timeout", attempt.ErrorType())
	}
}

func TestDeadlineEndsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithDeadline(3*time.Second))
		require.NoError(t, err)
		start := time.Now()
		err = policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			assert.Equal(t, otelretry.ErrDeadline, context.Cause(ctx))
			return ctx.Err()
		})
		require.ErrorIs(t, err, otelretry.ErrDeadline)
		assert.Equal(t, 3*time.Second, time.Since(start))
	})
}

func TestAttemptsContextOutlivesNothing(t *testing.T) {
	for name, options := range map[string][]otelretry.Option{"with a deadline": nil, "without": {otelretry.WithoutDeadline()}} {
		policy, err := otelretry.New("d", append(options, otelretry.WithoutTelemetry())...)
		require.NoError(t, err)
		for _, asked := range []bool{false, true} {
			var kept context.Context
			require.NoError(t, policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
				kept = ctx
				require.NoError(t, ctx.Err())
				if asked {
					ctx.Done()
				}
				return nil
			}))
			assert.Equal(t, context.Canceled, kept.Err(), name)
			select {
			case <-kept.Done():
			default:
				assert.Fail(t, "not done", name)
			}
			assert.Equal(t, 1, otelretry.AttemptNumber(kept), "values stay")
		}
	}
}

func TestHoldKeepsTheContextUntilReleased(t *testing.T) {
	for name, options := range map[string][]otelretry.Option{"with a deadline": nil, "without": {otelretry.WithoutDeadline()}} {
		t.Run(name, func(t *testing.T) { testHold(t, append(options, otelretry.WithoutTelemetry())...) })
	}
}

func testHold(t *testing.T, options ...otelretry.Option) {
	policy, err := otelretry.New("d", options...)
	require.NoError(t, err)
	var kept context.Context
	var release func()
	require.NoError(t, policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
		kept, release = ctx, otelretry.Hold(ctx)
		return nil
	}))
	require.NoError(t, kept.Err())
	release()
	release()
	assert.Equal(t, context.Canceled, kept.Err())
	otelretry.Hold(kept)()        // too late: nothing to hold
	otelretry.Hold(t.Context())() // outside an attempt
}

func TestHeldContextStillHasItsTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithAttemptTimeout(time.Second))
		require.NoError(t, err)
		var kept context.Context
		var release func()
		require.NoError(t, policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
			kept, release = ctx, otelretry.Hold(ctx)
			return nil
		}))
		defer release()
		<-kept.Done()
		assert.Equal(t, context.DeadlineExceeded, kept.Err())
	})
}

func TestClockThatJumps(t *testing.T) {
	for name, jump := range map[string]time.Duration{"forward": 1000 * time.Hour, "back": -1000 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			policy, recorder, clock := recorded(t)
			calls := 0
			err := policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), func(context.Context) error {
				calls++
				clock.Advance(jump)
				return statusError(503)
			})
			require.Error(t, err)
			assert.LessOrEqual(t, calls, 4)
			var failure *otelretry.Error
			require.ErrorAs(t, err, &failure)
			assert.GreaterOrEqual(t, failure.Elapsed, time.Duration(0))
			recorder.AssertConsistent()
		})
	}
}

func TestPolicyWorksInAndOutOfABubble(t *testing.T) {
	policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.Constant(time.Microsecond)))
	require.NoError(t, err)
	op := policy.Operation("o", otelretry.Idempotent())
	for range 3 { // timers are shared by requests, but never by bubbles
		require.NoError(t, op.Run(t.Context(), script(statusError(503), statusError(503))))
		synctest.Test(t, func(t *testing.T) {
			require.NoError(t, op.Run(t.Context(), script(statusError(503), statusError(503))))
		})
	}
}

// A limit of centuries is how settings say "none": it must not wrap around
// and be over at once.
func TestLongestLimitsNeverExpire(t *testing.T) {
	for name, options := range map[string][]otelretry.Option{
		"deadline":        {otelretry.WithDeadline(math.MaxInt64)},
		"attempt timeout": {otelretry.WithoutDeadline(), otelretry.WithAttemptTimeout(math.MaxInt64)},
	} {
		t.Run(name, func(t *testing.T) {
			policy, err := otelretry.New("d", append(options, otelretry.WithoutTelemetry())...)
			require.NoError(t, err)
			calls := 0
			err = policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), func(ctx context.Context) error {
				calls++
				assert.NoError(t, ctx.Err())
				return errors.New("on no allowlist")
			})
			require.ErrorIs(t, err, otelretry.ErrNotRetryable)
			assert.Equal(t, 1, calls, "an unknown error is not taken for a timeout")
		})
	}
}
