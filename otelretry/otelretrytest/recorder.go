package otelretrytest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/retrykit/retrykit/otelretry"
)

// Recorder keeps the spans and metrics of the policies that are made with its
// Options. It is safe for concurrent use.
type Recorder struct {
	tb     testing.TB
	spans  *tracetest.SpanRecorder
	tracer *sdktrace.TracerProvider
	reader *sdkmetric.ManualReader
	meter  *sdkmetric.MeterProvider
}

// NewRecorder makes a recorder that fails tb when its assertions don't hold.
func NewRecorder(tb testing.TB) *Recorder {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	return &Recorder{
		tb: tb, spans: spans, reader: reader,
		tracer: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
		meter:  sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)),
	}
}

// Options gives the options that make a policy record here.
func (r *Recorder) Options() []otelretry.Option {
	return []otelretry.Option{otelretry.WithTracerProvider(r.tracer), otelretry.WithMeterProvider(r.meter)}
}

// TracerProvider gives the provider whose spans are recorded.
func (r *Recorder) TracerProvider() trace.TracerProvider { return r.tracer }

// MeterProvider gives the provider whose metrics are recorded.
func (r *Recorder) MeterProvider() metric.MeterProvider { return r.meter }

// Request is what the spans say about one request.
type Request struct {
	// Operation is the name of the request span.
	Operation string
	// Attributes are those of the request span.
	Attributes map[string]attribute.Value
	// Failed reports whether the status of the request span is Error.
	Failed bool
	// Attempts are its attempt spans, in the order of their numbers.
	Attempts []Attempt

	id trace.SpanContext
}

// Outcome gives the attribute retry.outcome.
func (r Request) Outcome() string { return r.Attributes["retry.outcome"].AsString() }

// Attempt is what a span says about one attempt.
type Attempt struct {
	// Number is the attempt's number, from 1.
	Number int
	// Attributes are those of the attempt span.
	Attributes map[string]attribute.Value
	// Failed reports whether the status of the span is Error.
	Failed bool
}

// ErrorType gives the attribute error.type; "" for a success.
func (a Attempt) ErrorType() string { return a.Attributes["error.type"].AsString() }

// Requests gives the requests whose spans have ended, in the order in which
// they did.
func (r *Recorder) Requests() []Request {
	var requests []Request
	attempts := map[trace.SpanID][]Attempt{}
	for _, span := range r.spans.Ended() {
		if span.InstrumentationScope().Name != otelretry.ScopeName {
			continue
		}
		attributes := map[string]attribute.Value{}
		for _, kv := range span.Attributes() {
			attributes[string(kv.Key)] = kv.Value
		}
		failed := span.Status().Code == codes.Error
		if number, ok := attributes["retry.attempt.number"]; ok {
			attempts[span.Parent().SpanID()] = append(attempts[span.Parent().SpanID()],
				Attempt{Number: int(number.AsInt64()), Attributes: attributes, Failed: failed})
			continue
		}
		requests = append(requests, Request{
			Operation: span.Name(), Attributes: attributes, Failed: failed, id: span.SpanContext(),
		})
	}
	for i := range requests {
		requests[i].Attempts = attempts[requests[i].id.SpanID()]
		slices.SortFunc(requests[i].Attempts, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
	}
	return requests
}

// Metrics collects the metrics of otelretry as they are now, by name.
func (r *Recorder) Metrics() map[string]metricdata.Metrics {
	r.tb.Helper()
	var collected metricdata.ResourceMetrics
	if err := r.reader.Collect(context.Background(), &collected); err != nil {
		r.tb.Fatalf("collecting metrics: %v", err)
	}
	byName := map[string]metricdata.Metrics{}
	for _, scope := range collected.ScopeMetrics {
		if scope.Scope.Name != otelretry.ScopeName {
			continue
		}
		for _, m := range scope.Metrics {
			byName[m.Name] = m
		}
	}
	return byName
}

// Count adds up a counter, or the number of values in a histogram, over all
// series that have the given attributes.
func (r *Recorder) Count(name string, having ...attribute.KeyValue) int64 {
	r.tb.Helper()
	var total int64
	switch data := r.Metrics()[name].Data.(type) {
	case metricdata.Sum[int64]:
		for _, point := range data.DataPoints {
			if has(point.Attributes, having) {
				total += point.Value
			}
		}
	case metricdata.Histogram[int64]:
		for _, point := range data.DataPoints {
			if has(point.Attributes, having) {
				total += int64(point.Count)
			}
		}
	case metricdata.Histogram[float64]:
		for _, point := range data.DataPoints {
			if has(point.Attributes, having) {
				total += int64(point.Count)
			}
		}
	case nil:
		r.tb.Fatalf("no metric %q was recorded", name)
	default:
		r.tb.Fatalf("metric %q can't be counted: it is a %T", name, data)
	}
	return total
}

func has(set attribute.Set, having []attribute.KeyValue) bool {
	for _, kv := range having {
		if v, ok := set.Value(kv.Key); !ok || v != kv.Value {
			return false
		}
	}
	return true
}

// AssertOutcomes fails the test unless the requests of an operation ended in
// exactly these outcomes, by span and by metric alike.
func (r *Recorder) AssertOutcomes(operation string, want map[otelretry.Outcome]int) {
	r.tb.Helper()
	spans := map[string]int{}
	for _, request := range r.Requests() {
		if request.Operation == operation {
			spans[request.Outcome()]++
		}
	}
	for outcome := otelretry.FirstAttemptSuccess; outcome <= otelretry.Canceled; outcome++ {
		counted := r.Count("otelretry.requests", attribute.String("retry.operation", operation),
			attribute.String("retry.outcome", outcome.String()))
		if counted != int64(want[outcome]) {
			r.tb.Errorf("operation %q: metric otelretry.requests has %d requests with outcome %s, want %d",
				operation, counted, outcome, want[outcome])
		}
		if spans[outcome.String()] != want[outcome] {
			r.tb.Errorf("operation %q: %d request spans have outcome %s, want %d",
				operation, spans[outcome.String()], outcome, want[outcome])
		}
	}
}

// AssertConsistent fails the test unless spans and metrics tell the same
// story: as many requests, attempts and retries, and nothing in flight. It
// needs every attempt to have a span (the default mode).
func (r *Recorder) AssertConsistent() {
	r.tb.Helper()
	requests := r.Requests()
	var attempts, retries, retried int64
	for _, request := range requests {
		n := int64(len(request.Attempts))
		attempts += n
		if n > 1 {
			retries += n - 1
			retried++
		}
		if told := request.Attributes["retry.attempts"].AsInt64(); told != n {
			r.tb.Errorf("request span %q says %d attempts and has %d attempt spans", request.Operation, told, n)
		}
	}
	for _, check := range []struct {
		metric string
		want   int64
	}{
		{"otelretry.requests", int64(len(requests))},
		{"otelretry.attempts", attempts},
		{"otelretry.retries", retries},
		{"otelretry.retried_requests", retried},
		{"otelretry.attempts.in_flight", 0},
	} {
		if got := r.Count(check.metric); got != check.want {
			r.tb.Errorf("metric %s is %d, spans say %d", check.metric, got, check.want)
		}
	}
	if len(requests) == 0 {
		return
	}
	if got := r.Count("otelretry.request.attempts"); got != int64(len(requests)) {
		r.tb.Errorf("metric otelretry.request.attempts has %d values, spans say %d", got, len(requests))
	}
	if got := r.Count("otelretry.request.duration"); got != int64(len(requests)) {
		r.tb.Errorf("metric otelretry.request.duration has %d values, spans say %d", got, len(requests))
	}
}
