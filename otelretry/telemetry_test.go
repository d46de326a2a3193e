package otelretry_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// statusError is an error of the kind that HTTP clients return.
type statusError int

func (e statusError) Error() string   { return "status" }
func (e statusError) StatusCode() int { return int(e) }

// recorded makes a policy on a fake clock that records its telemetry.
func recorded(t *testing.T, options ...otelretry.Option) (*otelretry.Policy, *otelretrytest.Recorder, *otelretrytest.Clock) {
	t.Helper()
	clock, recorder := otelretrytest.NewClock(1), otelretrytest.NewRecorder(t)
	all := append(recorder.Options(), otelretry.WithClock(clock),
		otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second)))
	policy, err := otelretry.New("payments", append(all, options...)...)
	require.NoError(t, err)
	return policy, recorder, clock
}

// script gives a function that fails with these errors in turn, then succeeds.
func script(failures ...error) func(context.Context) error {
	n := 0
	return func(context.Context) error {
		n++
		if n <= len(failures) {
			return failures[n-1]
		}
		return nil
	}
}

func TestRequestSpan(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("charge", otelretry.Idempotent())

	require.NoError(t, op.Run(t.Context(), script(statusError(503), statusError(429))))
	_, file, line, _ := runtime.Caller(0)

	requests := recorder.Requests()
	require.Len(t, requests, 1)
	request := requests[0]
	assert.Equal(t, "charge", request.Operation)
	assert.False(t, request.Failed, "a retried error must not mark the request")
	got := plain(request.Attributes)
	assert.Equal(t, filepath.Base(file), filepath.Base(got["code.file.path"].(string)))
	delete(got, "code.file.path")
	assert.Equal(t, map[string]any{
		"retry.dependency": "payments", "retry.operation": "charge", "retry.max_attempts": int64(4),
		"retry.attempts": int64(3), "retry.outcome": "retried_success", "retry.backoff.total": 0.6,
		"code.function.name": "github.com/retrykit/retrykit/otelretry_test.TestRequestSpan", "code.line.number": int64(line - 1),
	}, got)

	require.Len(t, request.Attempts, 3)
	assert.Equal(t, map[string]any{"retry.attempt.number": int64(1), "retry.attempt.delay": 0.0, "error.type": "503"},
		plain(request.Attempts[0].Attributes))
	assert.Equal(t, map[string]any{"retry.attempt.number": int64(2), "retry.attempt.delay": 0.2, "error.type": "429"},
		plain(request.Attempts[1].Attributes))
	assert.Equal(t, map[string]any{"retry.attempt.number": int64(3), "retry.attempt.delay": 0.4},
		plain(request.Attempts[2].Attributes))
	assert.True(t, request.Attempts[0].Failed)
	assert.False(t, request.Attempts[2].Failed)
	recorder.AssertConsistent()
}

func plain(attributes map[string]attribute.Value) map[string]any {
	values := map[string]any{}
	for key, value := range attributes {
		values[key] = value.AsInterface()
	}
	return values
}

func TestCallSiteOfDo(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("charge")
	for range 2 { // the second is found in the cache
		_, err := otelretry.Do(t.Context(), op, func(context.Context) (int, error) { return 1, nil })
		require.NoError(t, err)
	}
	for _, request := range recorder.Requests() {
		assert.Equal(t, "github.com/retrykit/retrykit/otelretry_test.TestCallSiteOfDo",
			request.Attributes["code.function.name"].AsString())
	}
}

func TestMetricsAreThoseOfTheContract(t *testing.T) {
	budget, err := otelretry.NewThrottlingBudget("payments", 10, 0.1)
	require.NoError(t, err)
	policy, recorder, _ := recorded(t, otelretry.WithBudget(budget))
	op := policy.Operation("charge", otelretry.Idempotent())
	require.NoError(t, op.Run(t.Context(), script(statusError(503))))

	type shape struct{ kind, unit string }
	want := map[string]shape{
		"otelretry.requests":               {"counter", "{request}"},
		"otelretry.attempts":               {"counter", "{attempt}"},
		"otelretry.retries":                {"counter", "{retry}"},
		"otelretry.retried_requests":       {"counter", "{request}"},
		"otelretry.request.attempts":       {"histogram", "{attempt}"},
		"otelretry.request.duration":       {"histogram", "s"},
		"otelretry.request.added_duration": {"histogram", "s"},
		"otelretry.attempts.in_flight":     {"updown", "{attempt}"},
		"otelretry.budget.rejections":      {"counter", "{rejection}"},
		"otelretry.budget.utilization":     {"gauge", "1"},
		"otelretry.idempotency.replays":    {"counter", "{replay}"},
	}
	got := map[string]shape{}
	for name, m := range recorder.Metrics() {
		kind := ""
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			kind = "updown"
			if data.IsMonotonic {
				kind = "counter"
			}
		case metricdata.Histogram[int64]:
			kind = "histogram"
			assert.Equal(t, []float64{1, 2, 3, 4, 5, 8, 13}, data.DataPoints[0].Bounds)
		case metricdata.Histogram[float64]:
			kind = "histogram"
			assert.Equal(t, []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60}, data.DataPoints[0].Bounds)
		case metricdata.Gauge[float64]:
			kind = "gauge"
		}
		got[name] = shape{kind, m.Unit}
	}
	assert.Equal(t, want, got)
}

func TestSeriesOfOneRetriedRequest(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("charge", otelretry.Idempotent())
	require.NoError(t, op.Run(t.Context(), script(statusError(503))))

	kind, saved := attribute.String("error.type", "503"), attribute.Bool("retry.saved", true)
	both := []attribute.KeyValue{attribute.String("retry.dependency", "payments"), attribute.String("retry.operation", "charge")}
	assert.EqualValues(t, 1, recorder.Count("otelretry.requests", append(both, attribute.String("retry.outcome", "retried_success"))...))
	assert.EqualValues(t, 2, recorder.Count("otelretry.attempts", both...))
	assert.EqualValues(t, 1, recorder.Count("otelretry.attempts", append(both, kind)...))
	assert.EqualValues(t, 1, recorder.Count("otelretry.retries", append(both, kind)...))
	assert.EqualValues(t, 1, recorder.Count("otelretry.retried_requests", append(both, kind, saved)...))
	assert.EqualValues(t, 1, recorder.Count("otelretry.request.added_duration", both...))
	duration := recorder.Metrics()["otelretry.request.duration"].Data.(metricdata.Histogram[float64]).DataPoints
	require.Len(t, duration, 1)
	assert.InDelta(t, 0.2, duration[0].Sum, 1e-9)
	assert.Equal(t, 2, duration[0].Attributes.Len(), "no error.type on a request that succeeded")
}

func TestCountersStartAtZero(t *testing.T) {
	policy, recorder, _ := recorded(t)
	policy.Operation("charge")
	for name, series := range map[string]int{
		"otelretry.requests": 9, "otelretry.attempts": 2, "otelretry.retries": 1,
		"otelretry.retried_requests": 2, "otelretry.idempotency.replays": 1,
	} {
		data, ok := recorder.Metrics()[name].Data.(metricdata.Sum[int64])
		require.True(t, ok, name)
		assert.Len(t, data.DataPoints, series, name)
		for _, point := range data.DataPoints {
			assert.Zero(t, point.Value, name)
		}
	}
}

func TestCardinalityIsBoundedPerMeterProvider(t *testing.T) {
	recorder := otelretrytest.NewRecorder(t)
	for d := range 10 { // 10 policies of 20 operations with 15 error types each
		budget, err := otelretry.NewThrottlingBudget(string(rune('a'+d)), 10, 0.1)
		require.NoError(t, err)
		for range 2 {
			policy, err := otelretry.New(string(rune('a'+d)), append(recorder.Options(), otelretry.WithBudget(budget),
				otelretry.WithBackoff(otelretry.NoWait()), otelretry.WithMaxAttempts(2),
				otelretry.WithClassifiers(func(error) otelretry.Class { return otelretry.ClassTransient }))...)
			require.NoError(t, err)
			for o := range 20 {
				op := policy.Operation(string(rune('A' + o)))
				for e := range 15 {
					_ = op.Run(t.Context(), script(statusError(400+e)))
				}
			}
		}
	}
	operations, types := map[string]bool{}, map[string]bool{}
	for name, m := range recorder.Metrics() {
		series := 0
		each := func(set attribute.Set) {
			series++
			dependency, _ := set.Value("retry.dependency")
			if operation, ok := set.Value("retry.operation"); ok {
				operations[dependency.AsString()+" "+operation.AsString()] = true
			}
			if kind, ok := set.Value("error.type"); ok {
				types[kind.AsString()] = true
			}
			overflow, _ := set.Value("otel.metric.overflow")
			assert.False(t, overflow.AsBool(), name)
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				each(p.Attributes)
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				each(p.Attributes)
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				each(p.Attributes)
			}
		}
		assert.LessOrEqual(t, series, 1690, name)
	}
	assert.Len(t, operations, 65, "64 and _OTHER")
	assert.Contains(t, operations, "_OTHER _OTHER")
	assert.Len(t, types, 13, "12 and _OTHER")
	assert.Contains(t, types, "_OTHER")
	assert.EqualValues(t, 10*2*20*15, recorder.Count("otelretry.requests"), "nothing is lost")
}

func TestBudgetNamesAreBoundedPerMeterProvider(t *testing.T) {
	recorder := otelretrytest.NewRecorder(t)
	const budgets = 20
	for i := range budgets {
		name := string(rune('a' + i))
		budget, err := otelretry.NewShareBudget(name, 0.1, 1) // it starts empty
		require.NoError(t, err)
		policy, err := otelretry.New("d", append(recorder.Options(), otelretry.WithBudget(budget))...)
		require.NoError(t, err)
		require.ErrorIs(t, policy.Operation("o").Run(t.Context(), script(statusError(429))), otelretry.ErrBudget)
	}
	metrics := recorder.Metrics()
	rejections := metrics["otelretry.budget.rejections"].Data.(metricdata.Sum[int64]).DataPoints
	assert.Len(t, rejections, 17, "16 and _OTHER")
	assert.EqualValues(t, budgets-16, recorder.Count("otelretry.budget.rejections", attribute.String("retry.budget.name", "_OTHER")))
	assert.EqualValues(t, budgets, recorder.Count("otelretry.budget.rejections"), "nothing is lost")
	assert.Len(t, metrics["otelretry.budget.utilization"].Data.(metricdata.Gauge[float64]).DataPoints, 16)
}

func TestExemplarsPointToTheRequest(t *testing.T) {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	policy, err := otelretry.New("payments",
		otelretry.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))),
		otelretry.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
	require.NoError(t, err)
	require.NoError(t, policy.Operation("charge").Run(t.Context(), script()))

	ids := map[string]bool{}
	for _, span := range spans.Ended() {
		id := span.SpanContext().SpanID()
		ids[string(id[:])] = true
	}
	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	seen := 0
	for _, m := range collected.ScopeMetrics[0].Metrics {
		if data, ok := m.Data.(metricdata.Histogram[float64]); ok {
			for _, exemplar := range data.DataPoints[0].Exemplars {
				seen++
				assert.True(t, ids[string(exemplar.SpanID)])
			}
		}
	}
	assert.Equal(t, 1, seen)
}

func TestSpanModes(t *testing.T) {
	for _, test := range []struct {
		name    string
		option  otelretry.Option
		numbers []int
	}{
		{"all", otelretry.WithAttemptSpans(otelretry.AllAttempts), []int{1, 2}},
		{"retries only", otelretry.WithAttemptSpans(otelretry.RetriesOnly), []int{2}},
		{"none", otelretry.WithAttemptSpans(otelretry.NoAttempts), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, recorder, _ := recorded(t, test.option)
			require.NoError(t, policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(503))))
			var numbers []int
			for _, attempt := range recorder.Requests()[0].Attempts {
				numbers = append(numbers, attempt.Number)
			}
			assert.Equal(t, test.numbers, numbers)
			assert.EqualValues(t, 2, recorder.Count("otelretry.attempts"))
		})
	}
}

func TestRetriedAttemptsCanStayUnset(t *testing.T) {
	policy, recorder, _ := recorded(t, otelretry.WithRetriedAttemptsUnset(), otelretry.WithMaxAttempts(2))
	err := policy.Operation("o", otelretry.Idempotent()).Run(t.Context(), script(statusError(503), statusError(503)))
	require.Error(t, err)
	attempts := recorder.Requests()[0].Attempts
	assert.False(t, attempts[0].Failed)
	assert.Equal(t, "503", attempts[0].ErrorType())
	assert.True(t, attempts[1].Failed, "the last attempt wasn't retried")
}

func TestAttemptSpanIsInTheContextOfTheFunction(t *testing.T) {
	policy, _, _ := recorded(t, otelretry.WithAttemptSpanKind(trace.SpanKindClient))
	require.NoError(t, policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
		span := trace.SpanFromContext(ctx).(sdktrace.ReadOnlySpan)
		assert.Equal(t, "o attempt", span.Name())
		assert.Equal(t, trace.SpanKindClient, span.SpanKind())
		return nil
	}))
}

func TestReplaysAreCountedOncePerRequest(t *testing.T) {
	policy, recorder, _ := recorded(t)
	require.NoError(t, policy.Operation("o").Run(t.Context(), func(ctx context.Context) error {
		otelretry.IdempotencyReplayed(ctx)
		otelretry.IdempotencyReplayed(ctx)
		return nil
	}))
	otelretry.IdempotencyReplayed(t.Context())
	assert.EqualValues(t, 1, recorder.Count("otelretry.idempotency.replays"))
}

func TestInFlightIsSeenWhileAnAttemptRuns(t *testing.T) {
	policy, recorder, _ := recorded(t)
	require.NoError(t, policy.Operation("o").Run(t.Context(), func(context.Context) error {
		assert.EqualValues(t, 1, recorder.Count("otelretry.attempts.in_flight"))
		return nil
	}))
	assert.EqualValues(t, 0, recorder.Count("otelretry.attempts.in_flight"))
}

func TestPanicEndsSpansAndCounts(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("o")
	assert.PanicsWithValue(t, "boom", func() {
		_ = op.Run(t.Context(), func(context.Context) error { panic("boom") })
	})
	recorder.AssertOutcomes("o", map[otelretry.Outcome]int{otelretry.NotRetryable: 1})
	recorder.AssertConsistent()
	request := recorder.Requests()[0]
	assert.True(t, request.Failed)
	assert.Equal(t, "panic", request.Attributes["error.type"].AsString())
	assert.Equal(t, "panic", request.Attempts[0].ErrorType())
}

func TestErrorTextOnlyWhenAsked(t *testing.T) {
	secret := errors.New("card 4111 declined")
	for _, test := range []struct {
		options []otelretry.Option
		want    string
	}{{nil, ""}, {[]otelretry.Option{otelretry.WithErrorText()}, secret.Error()}} {
		spans := tracetest.NewSpanRecorder()
		policy, err := otelretry.New("payments", append(test.options,
			otelretry.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))...)
		require.NoError(t, err)
		require.Error(t, policy.Operation("o").Run(t.Context(), script(secret)))
		for _, span := range spans.Ended() {
			assert.Equal(t, test.want, span.Status().Description)
		}
	}
}
