package cases

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/retrykit/retrykit/otelretry"
)

// Otelretry gives this module's wrapper in each state of its telemetry.
func Otelretry() []Case {
	return []Case{
		ours("otelretry, uninstrumented", otelretry.WithoutTelemetry(), otelretry.WithBareFirstAttempt()),
		ours("otelretry, no-op providers", otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
			otelretry.WithMeterProvider(noopmetric.NewMeterProvider())),
		ours("otelretry, no-op providers, bare first attempt", otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
			otelretry.WithMeterProvider(noopmetric.NewMeterProvider()), otelretry.WithBareFirstAttempt()),
		ours("otelretry, global providers, no SDK"),
		ours("otelretry, metrics only", otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
			otelretry.WithMeterProvider(meterProvider())),
		ours("otelretry, never sampled", otelretry.WithTracerProvider(tracerProvider(sdktrace.NeverSample())),
			otelretry.WithMeterProvider(meterProvider())),
		ours("otelretry, sampled", otelretry.WithTracerProvider(tracerProvider(sdktrace.AlwaysSample())),
			otelretry.WithMeterProvider(meterProvider())),
		ours("otelretry, sampled, spans of retries only", otelretry.WithTracerProvider(tracerProvider(sdktrace.AlwaysSample())),
			otelretry.WithMeterProvider(meterProvider()), otelretry.WithAttemptSpans(otelretry.RetriesOnly)),
	}
}

func ours(name string, options ...otelretry.Option) Case {
	return Case{Name: name, Make: func(s Scenario) func(context.Context) error {
		policy, err := otelretry.New("bench", append(options, otelretry.WithMaxAttempts(maxAttempts),
			otelretry.WithDeadline(deadline), otelretry.WithBackoff(otelretry.FullJitter(shortest, shortest)))...)
		if err != nil {
			panic(err)
		}
		op := policy.Operation("request", otelretry.Idempotent())
		return func(ctx context.Context) error {
			calls := 0
			_, err := otelretry.Do(ctx, op, func(context.Context) (int, error) { return attempt(&s, &calls) })
			return err
		}
	}}
}

func meterProvider() metric.MeterProvider {
	return sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))
}

func tracerProvider(sampler sdktrace.Sampler) trace.TracerProvider {
	return sdktrace.NewTracerProvider(sdktrace.WithSampler(sampler))
}

// Telemetry gives the bare cost of what telemetry can't do without: one span
// and the four updates of metrics, written by hand with everything made
// beforehand and no retry.
func Telemetry() []Case {
	return []Case{
		bare("one span and four metrics, never sampled", sdktrace.NeverSample()),
		bare("one span and four metrics, sampled", sdktrace.AlwaysSample()),
	}
}

func bare(name string, sampler sdktrace.Sampler) Case {
	return Case{Name: name, Make: func(s Scenario) func(context.Context) error {
		tracer := tracerProvider(sampler).Tracer("bench")
		meter := meterProvider().Meter("bench")
		requests, err1 := meter.Int64Counter("requests")
		attempts, err2 := meter.Int64Counter("attempts")
		perRequest, err3 := meter.Int64Histogram("request.attempts", metric.WithExplicitBucketBoundaries(1, 2, 3, 4, 5, 8, 13))
		duration, err4 := meter.Float64Histogram("request.duration", metric.WithExplicitBucketBoundaries(
			0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60))
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				panic(err)
			}
		}
		names := []attribute.KeyValue{attribute.String("retry.dependency", "bench"), attribute.String("retry.operation", "request")}
		common := metric.WithAttributeSet(attribute.NewSet(names...))
		outcome := metric.WithAttributeSet(attribute.NewSet(append(names, attribute.String("retry.outcome", "first_attempt_success"))...))
		add, addOutcome, record := []metric.AddOption{common}, []metric.AddOption{outcome}, []metric.RecordOption{common}
		spanAttributes := append(names, attribute.Int("retry.attempts", 1), attribute.String("retry.outcome", "first_attempt_success"),
			attribute.Float64("retry.backoff.total", 0), attribute.Int("retry.max_attempts", 4), attribute.String("code.function.name", "f"),
			attribute.String("code.file.path", "f.go"), attribute.Int("code.line.number", 1))
		return func(ctx context.Context) error {
			calls := 0
			ctx, span := tracer.Start(ctx, "request")
			_, err := attempt(&s, &calls)
			requests.Add(ctx, 1, addOutcome...)
			attempts.Add(ctx, 1, add...)
			perRequest.Record(ctx, 1, record...)
			duration.Record(ctx, 0.001, record...)
			if span.IsRecording() {
				span.SetAttributes(spanAttributes...)
			}
			span.End()
			return err
		}
	}}
}
