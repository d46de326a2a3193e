package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/retrykit/retrykit/otelretry"
)

// telemetry is the service's OpenTelemetry SDK.
type telemetry struct {
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
}

// startTelemetry exports to the OTLP/HTTP collector at the URL, as any service
// would; only the collector is special here.
func startTelemetry(ctx context.Context, collector string, client *http.Client) (*telemetry, error) {
	spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(collector+"/v1/traces"), otlptracehttp.WithHTTPClient(client))
	if err != nil {
		return nil, fmt.Errorf("trace exporter: %w", err)
	}
	points, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(collector+"/v1/metrics"), otlpmetrichttp.WithHTTPClient(client))
	if err != nil {
		return nil, fmt.Errorf("metric exporter: %w", err)
	}
	service := resource.NewSchemaless(
		attribute.String("service.name", "checkout"),
		attribute.String("service.instance.id", "demo"),
	)
	return &telemetry{
		// The queue holds every span of a run: the batcher drops what does not fit.
		traces: sdktrace.NewTracerProvider(sdktrace.WithResource(service),
			sdktrace.WithBatcher(spans, sdktrace.WithMaxQueueSize(1<<16))),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithResource(service),
			sdkmetric.WithReader(sdkmetric.NewPeriodicReader(points, sdkmetric.WithInterval(metricInterval)))),
	}, nil
}

// options hands the providers to a policy.
func (t *telemetry) options() []otelretry.Option {
	return []otelretry.Option{otelretry.WithTracerProvider(t.traces), otelretry.WithMeterProvider(t.metrics)}
}

// shutdown exports what is left.
func (t *telemetry) shutdown(ctx context.Context) error {
	return errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx))
}
