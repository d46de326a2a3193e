// Recording makes requests that are retried, and records what that costs in a
// file that retrystat reads, with nothing but the SDK's own exporters.
//
//	go run ./cmd/flakyserver &
//	go run ./recording telemetry.json http://localhost:8080/sometimes/
//	retrystat report telemetry.json
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: recording FILE URL")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name, url string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	stop, err := record(file)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	err = work(ctx, http.DefaultTransport, url)
	return errors.Join(err, stop(ctx), file.Close())
}

// record makes the program's spans and metrics go to a writer, until it is
// stopped. It sets the global providers, which policies take unless they are
// given others.
func record(to io.Writer) (stop func(context.Context) error, err error) {
	spans, err := stdouttrace.New(stdouttrace.WithWriter(to))
	if err != nil {
		return nil, err
	}
	points, err := stdoutmetric.New(stdoutmetric.WithWriter(to))
	if err != nil {
		return nil, err
	}
	traces := sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans))
	metrics := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(points,
		sdkmetric.WithInterval(10*time.Second))))
	otel.SetTracerProvider(traces)
	otel.SetMeterProvider(metrics)
	return func(ctx context.Context) error { // what is left is written here
		return errors.Join(traces.Shutdown(ctx), metrics.Shutdown(ctx))
	}, nil
}

// work makes a hundred requests, of which some fail for good: that is what is
// recorded.
func work(ctx context.Context, base http.RoundTripper, url string) error {
	policy, err := otelretry.New("catalog", otelretry.WithBackoff(otelretry.FullJitter(10*time.Millisecond, time.Second)))
	if err != nil {
		return err
	}
	transport, err := otelretryhttp.NewTransport(base, policy)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: transport}
	for i := range 100 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprint(url, i), nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			continue // the policy has logged it
		}
		if err := resp.Body.Close(); err != nil {
			return err
		}
	}
	return nil
}
