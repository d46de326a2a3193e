package otelretry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// shut is a breaker that lets n attempts pass.
type shut struct {
	n      int
	ended  []error
	reason error
}

func (s *shut) Allow() (func(error), error) {
	if s.n == 0 {
		return nil, s.reason
	}
	s.n--
	return func(err error) { s.ended = append(s.ended, err) }, nil
}

var errOpen = errors.New("open")

func TestOutcomes(t *testing.T) {
	down := statusError(503)
	spent, err := otelretry.NewShareBudget("b", 0.1, 1)
	require.NoError(t, err)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()

	for _, test := range []struct {
		name     string
		ctx      context.Context
		options  []otelretry.Option
		failures []error
		want     otelretry.Outcome
		is       []error
		attempts int
		elapsed  time.Duration
	}{
		{name: "first attempt", want: otelretry.FirstAttemptSuccess},
		{name: "retried", failures: []error{down, down}, want: otelretry.RetriedSuccess},
		{name: "permanent", failures: []error{statusError(404)}, want: otelretry.NotRetryable,
			is: []error{otelretry.ErrNotRetryable, statusError(404)}, attempts: 1},
		{name: "permanent after a retry", failures: []error{down, statusError(404)}, want: otelretry.NotRetryable,
			is: []error{otelretry.ErrNotRetryable, statusError(404)}, attempts: 2, elapsed: 200 * time.Millisecond},
		{name: "exhausted", failures: []error{down, down, down, down}, want: otelretry.AttemptsExhausted,
			is: []error{otelretry.ErrExhausted, down}, attempts: 4, elapsed: 1400 * time.Millisecond},
		{name: "deadline", options: []otelretry.Option{otelretry.WithDeadline(500 * time.Millisecond)}, failures: []error{down, down, down},
			want: otelretry.DeadlineExceeded, is: []error{otelretry.ErrDeadline, context.DeadlineExceeded, down}, attempts: 2, elapsed: 200 * time.Millisecond},
		{name: "budget", options: []otelretry.Option{otelretry.WithBudget(spent)}, failures: []error{down},
			want: otelretry.BudgetRejected, is: []error{otelretry.ErrBudget, down}, attempts: 1},
		{name: "breaker open at first", options: []otelretry.Option{otelretry.WithBreaker(&shut{reason: errOpen})},
			want: otelretry.BreakerOpen, is: []error{otelretry.ErrBreaker, errOpen}},
		{name: "breaker opens", options: []otelretry.Option{otelretry.WithBreaker(&shut{n: 1, reason: errOpen})}, failures: []error{down},
			want: otelretry.BreakerOpen, is: []error{otelretry.ErrBreaker, errOpen, down}, attempts: 1, elapsed: 200 * time.Millisecond},
		{name: "pushback past the cap", failures: []error{otelretry.RetryAfter(24*time.Hour, down)},
			want: otelretry.Pushback, is: []error{otelretry.ErrPushback, down}, attempts: 1},
		{name: "pushback past the deadline", options: []otelretry.Option{otelretry.WithDeadline(5 * time.Second)},
			failures: []error{otelretry.RetryAfter(7*time.Second, down)},
			want:     otelretry.Pushback, is: []error{otelretry.ErrPushback, down}, attempts: 1},
		{name: "canceled before the first attempt", ctx: canceled, want: otelretry.Canceled,
			is: []error{otelretry.ErrCanceled, context.Canceled}},
		{name: "somebody else's cancellation", failures: []error{context.Canceled}, want: otelretry.NotRetryable,
			is: []error{otelretry.ErrNotRetryable, context.Canceled}, attempts: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, recorder, _ := recorded(t, test.options...)
			op := policy.Operation("o", otelretry.Idempotent())
			ctx := test.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			err := op.Run(ctx, script(test.failures...))
			recorder.AssertOutcomes("o", map[otelretry.Outcome]int{test.want: 1})
			recorder.AssertConsistent()
			if test.want.Success() {
				require.NoError(t, err)
				return
			}
			for _, target := range test.is {
				require.ErrorIs(t, err, target)
			}
			var failure *otelretry.Error
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, test.want, failure.Reason)
			assert.Equal(t, test.attempts, failure.Attempts)
			assert.Equal(t, test.elapsed, failure.Elapsed)
			assert.True(t, recorder.Requests()[0].Failed)
			assert.NotEmpty(t, recorder.Requests()[0].Attributes["error.type"].AsString())
		})
	}
}

func TestCallersContext(t *testing.T) {
	down := statusError(503)

	t.Run("canceled while waiting", func(t *testing.T) {
		policy, recorder, clock := recorded(t)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		clock.AfterFunc(100*time.Millisecond, cancel)
		err := policy.Operation("o", otelretry.Idempotent()).Run(ctx, script(down, down))
		require.ErrorIs(t, err, otelretry.ErrCanceled)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, down, "the last real error")
		assert.Equal(t, 100*time.Millisecond, clock.Elapsed(), "the wait ends at once")
		recorder.AssertConsistent()
	})
	t.Run("canceled during an attempt", func(t *testing.T) {
		policy, recorder, _ := recorded(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("shutting down")
		n := 0
		err := policy.Operation("o", otelretry.Idempotent()).Run(ctx, func(ctx context.Context) error {
			if n++; n == 1 {
				return down
			}
			cancel(why)
			return ctx.Err()
		})
		require.ErrorIs(t, err, otelretry.ErrCanceled)
		require.ErrorIs(t, err, why)
		require.ErrorIs(t, err, down, "the last real error, and not the echo of the caller's")
		recorder.AssertOutcomes("o", map[otelretry.Outcome]int{otelretry.Canceled: 1})
	})
	t.Run("its deadline is before the next attempt", func(t *testing.T) {
		policy, _, clock := recorded(t)
		ctx, cancel := clock.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		err := policy.Operation("o", otelretry.Idempotent()).Run(ctx, script(down))
		require.ErrorIs(t, err, otelretry.ErrDeadline)
		assert.Zero(t, clock.Elapsed(), "fail now, not later")
	})
	t.Run("success wins over a late cancellation", func(t *testing.T) {
		policy, _, _ := recorded(t)
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, policy.Operation("o").Run(ctx, func(context.Context) error { cancel(); return nil }))
	})
}

func TestAmbiguousFailures(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []otelretry.OperationOption
		keyed   bool
		brought bool
		want    int
	}{
		{"neither idempotent nor keyed", nil, false, false, 1},
		{"idempotent", []otelretry.OperationOption{otelretry.Idempotent()}, false, false, 2},
		{"the function sends a key", nil, true, false, 2},
		{"the caller brought a key", nil, false, true, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, _, _ := recorded(t, otelretry.WithMaxAttempts(2))
			ctx := t.Context()
			if test.brought {
				ctx = otelretry.ContextWithIdempotencyKey(ctx, "order-7")
			}
			calls := 0
			_ = policy.Operation("o", test.options...).Run(ctx, func(ctx context.Context) error {
				calls++
				if test.keyed {
					assert.NotEmpty(t, otelretry.IdempotencyKey(ctx))
				}
				return statusError(503)
			})
			assert.Equal(t, test.want, calls)
		})
	}
}

func TestLastValueComesBack(t *testing.T) {
	policy, _, _ := recorded(t, otelretry.WithMaxAttempts(3))
	n := 0
	got, err := otelretry.Do(t.Context(), policy.Operation("o", otelretry.Idempotent()), func(context.Context) (int, error) {
		n++
		return n, statusError(503)
	})
	require.Error(t, err)
	assert.Equal(t, 3, got)
}

func TestHistoryJoinsAllErrors(t *testing.T) {
	policy, _, _ := recorded(t, otelretry.WithHistory())
	err := policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(502), statusError(503), statusError(404)))
	for _, want := range []error{statusError(502), statusError(503), statusError(404), otelretry.ErrNotRetryable} {
		require.ErrorIs(t, err, want)
	}
	without, _, _ := recorded(t)
	err = without.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(502), statusError(404)))
	require.NotErrorIs(t, err, statusError(502))
}

func TestBreakerHearsEveryAttempt(t *testing.T) {
	breaker := &shut{n: 10}
	policy, _, _ := recorded(t, otelretry.WithBreaker(breaker))
	require.NoError(t, policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(503))))
	assert.Equal(t, []error{statusError(503), nil}, breaker.ended)
	assert.Panics(t, func() { _ = policy.Operation("o").Run(t.Context(), func(context.Context) error { panic(1) }) })
	assert.Len(t, breaker.ended, 3)
	assert.Error(t, breaker.ended[2])
}

// Retries that a breaker forbids are not made, and must not use up the budget.
func TestRefusedRetriesAreNotPaidFor(t *testing.T) {
	budget, err := otelretry.NewShareBudget("d", 1, 1)
	require.NoError(t, err)
	policy, recorder, _ := recorded(t, otelretry.WithBreaker(&shut{n: 1, reason: errOpen}), otelretry.WithBudget(budget))
	err = policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(503)))
	require.ErrorIs(t, err, otelretry.ErrBreaker)
	assert.Zero(t, budget.Utilization())
	recorder.AssertOutcomes("o", map[otelretry.Outcome]int{otelretry.BreakerOpen: 1})
}

// whoStopped is the error of somebody who ended a context.
type whoStopped struct{ name string }

func (w *whoStopped) Error() string { return w.name }

func TestErrorsAsReachesTheCauseOfACancellation(t *testing.T) {
	policy, _, _ := recorded(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	err := policy.Operation("o", otelretry.Idempotent()).Run(ctx, func(context.Context) error {
		cancel(&whoStopped{"shutdown"})
		return statusError(503)
	})
	var who *whoStopped
	require.ErrorAs(t, err, &who)
	assert.Equal(t, "shutdown", who.name)
	var status statusError
	require.ErrorAs(t, err, &status, "the dependency's last word stays within reach")
	require.ErrorIs(t, err, who)

	err = policy.Operation("o").Run(ctx, func(context.Context) error { t.Error("called"); return nil })
	require.ErrorAs(t, err, &who, "also when the context had ended before")
}

// allowAll is a breaker that is always closed.
type allowAll struct{}

func (allowAll) Allow() (func(error), error) { return nil, nil }

// What the function sees and the caller gets must not depend on who is told.
func TestBareFirstAttempt(t *testing.T) {
	for name, audience := range map[string][]otelretry.Option{
		"nobody":            {otelretry.WithoutTelemetry()},
		"no-op providers":   {otelretry.WithTracerProvider(nooptrace.NewTracerProvider()), otelretry.WithMeterProvider(noopmetric.NewMeterProvider())},
		"spans and metrics": otelretrytest.NewRecorder(t).Options(),
		"an observer":       {otelretry.WithoutTelemetry(), otelretry.WithObserver(func(otelretry.Event) {})},
		"a breaker":         {otelretry.WithoutTelemetry(), otelretry.WithBreaker(allowAll{})},
	} {
		t.Run(name, func(t *testing.T) { testBareFirstAttempt(t, audience) })
	}
}

func testBareFirstAttempt(t *testing.T, audience []otelretry.Option) {
	policy, err := otelretry.New("d", append(audience, otelretry.WithBareFirstAttempt(),
		otelretry.WithBackoff(otelretry.NoWait()), otelretry.WithMaxAttempts(3))...)
	require.NoError(t, err)
	op := policy.Operation("o", otelretry.Idempotent())
	type mark struct{}
	ctx := context.WithValue(t.Context(), mark{}, 1)

	var numbers []int
	got, err := otelretry.Do(ctx, op, func(inner context.Context) (int, error) {
		numbers = append(numbers, otelretry.AttemptNumber(inner))
		assert.Equal(t, 1, inner.Value(mark{}))
		_, limited := inner.Deadline()
		assert.Equal(t, len(numbers) > 1, limited)
		assert.Equal(t, len(numbers) > 1, otelretry.IdempotencyKey(inner) != "")
		if len(numbers) < 3 {
			return 0, statusError(503)
		}
		return 7, nil
	})
	require.NoError(t, err)
	assert.Equal(t, 7, got)
	assert.Equal(t, []int{0, 2, 3}, numbers)

	permanent := errors.New("no")
	assert.Same(t, permanent, op.Run(ctx, script(permanent)), "as it is")
	require.ErrorIs(t, op.Run(ctx, script(statusError(503), statusError(503), statusError(503))), otelretry.ErrExhausted)
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, op.Run(canceled, script()), otelretry.ErrCanceled)
	_, err = otelretry.Do(canceled, op, func(context.Context) (int, error) { return 1, nil })
	require.ErrorIs(t, err, otelretry.ErrCanceled)
}

func TestObserverIsToldEverything(t *testing.T) {
	type told struct {
		kind    otelretry.EventKind
		attempt int
		delay   time.Duration
	}
	var events []told
	var last otelretry.Event
	policy, _, _ := recorded(t, otelretry.WithObserver(func(e otelretry.Event) {
		events = append(events, told{e.Kind, e.Attempt, e.Delay})
		last = e
	}))
	op := policy.Operation("o", otelretry.Idempotent())
	require.Error(t, op.Run(t.Context(), script(statusError(503), statusError(404))))
	assert.Equal(t, []told{
		{otelretry.AttemptStarted, 1, 0}, {otelretry.AttemptEnded, 1, 0}, {otelretry.RetryScheduled, 1, 200 * time.Millisecond},
		{otelretry.AttemptStarted, 2, 0}, {otelretry.AttemptEnded, 2, 0}, {otelretry.RequestEnded, 2, 0},
	}, events)
	assert.Equal(t, otelretry.NotRetryable, last.Outcome)
	assert.Equal(t, 200*time.Millisecond, last.Elapsed)
	assert.Same(t, op, last.Operation)
	require.ErrorIs(t, last.Err, statusError(404))
}
