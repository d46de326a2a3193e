package otelretry_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func noopProviders() []otelretry.Option {
	return []otelretry.Option{otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
		otelretry.WithMeterProvider(noopmetric.NewMeterProvider())}
}

// Nobody being told takes a shorter way through the package. It must come to
// the same.
func TestRequestsComeToTheSameWhoeverIsTold(t *testing.T) {
	type account struct {
		value    int
		err      string
		numbers  []int
		keys     int
		deadline bool
		waits    []time.Duration
	}
	for _, test := range []struct {
		name   string
		answer []error
	}{
		{"first attempt succeeds", nil},
		{"permanent", []error{statusError(404)}},
		{"third attempt succeeds", []error{statusError(503), statusError(429)}},
		{"exhausted", []error{statusError(503), statusError(503), statusError(503), statusError(503)}},
		{"pushback", []error{otelretry.RetryAfter(time.Hour, statusError(429))}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want *account
			for name, audience := range map[string][]otelretry.Option{
				"nobody":            {otelretry.WithoutTelemetry()},
				"no-op providers":   noopProviders(),
				"spans and metrics": otelretrytest.NewRecorder(t).Options(),
				"an observer":       {otelretry.WithoutTelemetry(), otelretry.WithObserver(func(otelretry.Event) {})},
			} {
				clock := otelretrytest.NewClock(1)
				policy, err := otelretry.New("d", append(audience, otelretry.WithClock(clock),
					otelretry.WithBackoff(otelretry.Exponential(time.Second, time.Minute)))...)
				require.NoError(t, err)
				op := policy.Operation("o", otelretry.Idempotent())
				var got account
				keys := map[string]bool{}
				call := func(ctx context.Context) (int, error) {
					n := otelretry.AttemptNumber(ctx)
					got.numbers = append(got.numbers, n)
					keys[otelretry.IdempotencyKey(ctx)] = true
					_, got.deadline = ctx.Deadline()
					if n <= len(test.answer) {
						return n, test.answer[n-1]
					}
					return n, nil
				}
				got.value, err = otelretry.Do(t.Context(), op, call)
				if err != nil {
					got.err = err.Error()
				}
				got.keys, got.waits = len(keys), clock.Waits()
				if want == nil {
					want = &got
				}
				assert.Equal(t, *want, got, name)

				clock = otelretrytest.NewClock(1)
				ran := got
				got, keys = account{}, map[string]bool{}
				policy, err = otelretry.New("d", append(audience, otelretry.WithClock(clock),
					otelretry.WithBackoff(otelretry.Exponential(time.Second, time.Minute)))...)
				require.NoError(t, err)
				err = policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), func(ctx context.Context) error {
					_, err := call(ctx)
					return err
				})
				if err != nil {
					got.err = err.Error()
				}
				got.value, got.keys, got.waits = ran.value, len(keys), clock.Waits()
				assert.Equal(t, ran, got, "Run is Do, %s", name)
			}
		})
	}
}

func TestQuietFirstAttemptHasAContextOfItsOwn(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	policy, err := otelretry.New("d", append(noopProviders(), otelretry.WithClock(clock), otelretry.WithMaxAttempts(1),
		otelretry.WithAttemptTimeout(time.Second))...)
	require.NoError(t, err)
	op := policy.Operation("o")

	parent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}})
	var kept context.Context
	err = op.Run(trace.ContextWithSpanContext(t.Context(), parent), func(ctx context.Context) error {
		kept = ctx
		assert.Equal(t, parent, trace.SpanContextFromContext(ctx), "the caller's span goes on")
		require.NoError(t, ctx.Err())
		return clock.Work(ctx, time.Minute)
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, context.Cause(kept), otelretry.ErrAttemptTimeout)
	assert.Equal(t, time.Second, clock.Elapsed())

	require.NoError(t, op.Run(t.Context(), func(ctx context.Context) error { kept = ctx; return nil }))
	require.ErrorIs(t, kept.Err(), context.Canceled, "it ends with the attempt")

	assert.PanicsWithValue(t, "boom", func() {
		_, _ = otelretry.Do(t.Context(), op, func(ctx context.Context) (int, error) {
			kept = ctx
			assert.NotNil(t, ctx.Done(), "so that there is a timer to stop")
			panic("boom")
		})
	})
	require.ErrorIs(t, kept.Err(), context.Canceled, "also when the function panics")
}

func TestQuietRequestsAreLoggedAndPaidFromTheBudget(t *testing.T) {
	var log bytes.Buffer
	budget, err := otelretry.NewThrottlingBudget("b", 4, 1)
	require.NoError(t, err)
	policy, err := otelretry.New("d", append(noopProviders(), otelretry.WithBackoff(otelretry.NoWait()), otelretry.WithBudget(budget),
		otelretry.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))...)
	require.NoError(t, err)
	op := policy.Operation("o")

	err = op.Run(t.Context(), script(statusError(429), statusError(429), statusError(429)))
	require.ErrorIs(t, err, otelretry.ErrBudget)
	assert.Contains(t, log.String(), "msg=retrying")
	assert.Contains(t, log.String(), `msg="retries exhausted"`)
	assert.InDelta(t, 1, budget.Utilization(), 0)
	require.NoError(t, op.Run(t.Context(), script()))
	require.Error(t, op.Run(t.Context(), script(errors.New("own"))))
	assert.Less(t, budget.Utilization(), 1.0, "a success and a failure that isn't retried fill it")
}
