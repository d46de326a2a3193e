//go:build !race

package otelretry_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/retrykit/retrykit/otelretry"
)

// What a request may allocate is part of the contract; see bench/README.md
// for what it costs in time.
func TestAllocations(t *testing.T) {
	quiet := []otelretry.Option{otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
		otelretry.WithMeterProvider(noopmetric.NewMeterProvider())}
	bare := []otelretry.Option{otelretry.WithoutTelemetry(), otelretry.WithBareFirstAttempt()}
	metrics := []otelretry.Option{otelretry.WithTracerProvider(nooptrace.NewTracerProvider()),
		otelretry.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())))}
	sampled := func(processors ...sdktrace.TracerProviderOption) []otelretry.Option {
		return []otelretry.Option{otelretry.WithTracerProvider(sdktrace.NewTracerProvider(processors...)),
			otelretry.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())))}
	}
	permanent, transient := errors.New("permanent"), otelretry.Retryable(errors.New("down"))

	for _, test := range []struct {
		name    string
		options []otelretry.Option
		fail    error
		times   int
		most    float64
	}{
		{"bare, success", bare, nil, 0, 0},
		{"bare, permanent", bare, permanent, 1, 0},
		{"bare, third attempt", bare, transient, 2, 3},
		{"no-op, success", quiet, nil, 0, 1},
		{"no-op, permanent", quiet, permanent, 1, 1},
		{"no-op, third attempt", quiet, transient, 2, 3},
		{"no-op and bare, success", append(quiet, otelretry.WithBareFirstAttempt()), nil, 0, 0},
		{"no-op and bare, permanent", append(quiet, otelretry.WithBareFirstAttempt()), permanent, 1, 0},
		{"metrics, success", metrics, nil, 0, 1},
		{"metrics, third attempt", metrics, otelretry.Retryable(statusError(503)), 2, 3},
		{"never sampled, success", sampled(sdktrace.WithSampler(sdktrace.NeverSample())), nil, 0, 3},
		{"sampled, no attempt spans", append(sampled(), otelretry.WithAttemptSpans(otelretry.NoAttempts)), nil, 0, 4},
		{"sampled, spans of retries only", append(sampled(), otelretry.WithAttemptSpans(otelretry.RetriesOnly)), nil, 0, 4},
		{"sampled, success", sampled(), nil, 0, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, err := otelretry.New("d", append(test.options, otelretry.WithBackoff(otelretry.Constant(1)))...)
			require.NoError(t, err)
			op := policy.Operation("o")
			ctx := context.Background()
			calls := 0
			got := testing.AllocsPerRun(1000, func() {
				calls = 0
				_, _ = otelretry.Do(ctx, op, func(context.Context) (int, error) {
					calls++
					if calls <= test.times {
						return 0, test.fail
					}
					return 1, nil
				})
			})
			assert.LessOrEqual(t, got, test.most)
			t.Log(got)
		})
	}
}
