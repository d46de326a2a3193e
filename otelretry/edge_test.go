package otelretry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	nooptrace "go.opentelemetry.io/otel/trace/noop"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// oversleeper is a clock on which something happens during each wait, which is
// over all the same.
type oversleeper struct {
	*otelretrytest.Clock
	meanwhile func()
}

func (o *oversleeper) Sleep(ctx context.Context, d time.Duration) error {
	err := o.Clock.Sleep(ctx, d)
	o.meanwhile()
	return err
}

func TestNoAttemptFollowsACancellationAtTheWaitsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	clock := &oversleeper{otelretrytest.NewClock(1), cancel}
	policy, err := otelretry.New("d", otelretry.WithClock(clock), otelretry.WithBackoff(otelretry.Constant(time.Second)))
	require.NoError(t, err)
	calls := 0
	err = policy.Operation("o").Run(ctx, func(context.Context) error { calls++; return statusError(429) })
	require.ErrorIs(t, err, otelretry.ErrCanceled)
	assert.Equal(t, 1, calls)
}

func TestNoAttemptFollowsAWaitThatOutlastedTheDeadline(t *testing.T) {
	clock := &oversleeper{Clock: otelretrytest.NewClock(1)}
	clock.meanwhile = func() { clock.Advance(time.Hour) } // a machine that was suspended
	budget, err := otelretry.NewShareBudget("b", 1, 2)
	require.NoError(t, err)
	policy, err := otelretry.New("d", otelretry.WithClock(clock), otelretry.WithBackoff(otelretry.Constant(time.Second)), otelretry.WithBudget(budget))
	require.NoError(t, err)
	calls := 0
	err = policy.Operation("o").Run(t.Context(), func(context.Context) error { calls++; return statusError(429) })
	require.ErrorIs(t, err, otelretry.ErrDeadline)
	require.ErrorIs(t, err, statusError(429))
	assert.Equal(t, 1, calls)
	assert.InDelta(t, 0.5, budget.Utilization(), 0, "the retry that wasn't made costs nothing")
}

func TestAnAttemptThatOnlyAsksForErrLearnsTheCause(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	policy, err := otelretry.New("d", otelretry.WithClock(clock), otelretry.WithAttemptTimeout(time.Second), otelretry.WithMaxAttempts(1))
	require.NoError(t, err)
	err = policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
		for ctx.Err() == nil {
			clock.Advance(time.Second)
		}
		return context.Cause(ctx)
	})
	require.ErrorIs(t, err, otelretry.ErrAttemptTimeout)
}

// several is an error with branches, as errors.Join doesn't make them.
type several []error

func (several) Error() string     { return "several" }
func (s several) Unwrap() []error { return s }

func TestErrorsWithNilBranchesHaveAType(t *testing.T) {
	for want, err := range map[string]error{
		"otelretry_test.several": several{},
		"404":                    several{nil, statusError(404)},
	} {
		policy, recorder, _ := recorded(t)
		require.ErrorIs(t, policy.Operation("o").Run(t.Context(), script(err)), otelretry.ErrNotRetryable)
		assert.Equal(t, want, recorder.Requests()[0].Attempts[0].ErrorType())
	}
}

// As long as attempts end with their context, whatever the server asks for.
func TestNoRequestTakesLongerThanTheWorstCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := otelretrytest.NewClock(rapid.Uint64().Draw(t, "seed"))
		backoff := rapid.SampledFrom([]otelretry.Backoff{otelretry.Constant(time.Second), otelretry.Linear(time.Second, time.Minute),
			otelretry.Exponential(time.Second, time.Minute), otelretry.FullJitter(time.Second, time.Minute),
			otelretry.EqualJitter(time.Second, time.Minute), otelretry.DecorrelatedJitter(time.Second, time.Minute),
			otelretry.ExponentialWithJitter(time.Second, time.Minute, 5*time.Second)}).Draw(t, "backoff")
		limit := time.Duration(rapid.Int64Range(1, int64(3*time.Minute)).Draw(t, "most Retry-After"))
		policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithClock(clock), otelretry.WithBackoff(backoff),
			otelretry.WithMaxAttempts(rapid.IntRange(1, 6).Draw(t, "attempts")), otelretry.WithoutDeadline(),
			otelretry.WithMaxRetryAfter(limit), otelretry.WithAttemptTimeout(10*time.Second))
		require.NoError(t, err)
		_ = policy.Operation("o").Run(context.Background(), func(ctx context.Context) error {
			if err := clock.Work(ctx, 20*time.Second); err == nil {
				t.Fatal("the attempt was not ended")
			}
			return otelretry.RetryAfter(time.Duration(rapid.Int64Range(0, int64(limit)).Draw(t, "Retry-After")), statusError(429))
		})
		if took := clock.Elapsed(); took > policy.WorstCase() {
			t.Fatalf("%s: took %s", policy, took)
		}
	})
}

// A program may make its policies before it sets its SDK up.
func TestAnSDKThatComesLaterHearsEverything(t *testing.T) {
	budget, err := otelretry.NewShareBudget("b", 0.1, 1)
	require.NoError(t, err)
	policy, err := otelretry.New("late", otelretry.WithBudget(budget))
	require.NoError(t, err)
	op := policy.Operation("o")
	require.NoError(t, op.Run(t.Context(), script()), "before there is an SDK")

	recorder := otelretrytest.NewRecorder(t)
	otel.SetTracerProvider(recorder.TracerProvider())
	otel.SetMeterProvider(recorder.MeterProvider())
	t.Cleanup(func() {
		otel.SetTracerProvider(nooptrace.NewTracerProvider())
		otel.SetMeterProvider(noopmetric.NewMeterProvider())
	})

	require.NoError(t, op.Run(t.Context(), script()))
	recorder.AssertOutcomes("o", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1})
	recorder.AssertConsistent()
	requests := recorder.Metrics()["otelretry.requests"].Data.(metricdata.Sum[int64])
	assert.Len(t, requests.DataPoints, 9, "every outcome starts at 0")
	rejected := 0
	for _, point := range recorder.Metrics()["otelretry.budget.rejections"].Data.(metricdata.Sum[int64]).DataPoints {
		if dependency, _ := point.Attributes.Value("retry.dependency"); dependency.AsString() == "late" {
			rejected++
			assert.Zero(t, point.Value)
		}
	}
	assert.Equal(t, 1, rejected, "and every budget")
	require.ErrorIs(t, op.Run(t.Context(), script(errors.Join(statusError(429)))), otelretry.ErrBudget)
	assert.EqualValues(t, 1, recorder.Count("otelretry.budget.rejections"))
}

// A classifier is the user's code too, and its panic must leave no attempt in
// flight.
func TestAPanicOfAClassifierEndsSpansAndCounts(t *testing.T) {
	for name, request := range map[string]func(context.Context, *otelretry.Operation) error{
		"Do": func(ctx context.Context, op *otelretry.Operation) error {
			return op.Run(ctx, script(statusError(503)))
		},
		"DoHedged": func(ctx context.Context, op *otelretry.Operation) error {
			_, err := otelretry.DoHedged(ctx, op, func(context.Context) (int, error) { return 0, statusError(503) })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			recorder := otelretrytest.NewRecorder(t)
			policy, err := otelretry.New("d", append(recorder.Options(), otelretry.WithHedging(time.Hour, 1),
				otelretry.WithClassifiers(func(error) otelretry.Class { panic("boom") }))...)
			require.NoError(t, err)
			assert.PanicsWithValue(t, "boom", func() { _ = request(t.Context(), policy.Operation("o", otelretry.Idempotent())) })
			recorder.AssertOutcomes("o", map[otelretry.Outcome]int{otelretry.NotRetryable: 1})
			recorder.AssertConsistent()
		})
	}
}
