// Checkout runs the corrected checkout service under load against dependencies
// that fail in the ways real ones do, records the telemetry of its retries as
// OTLP/JSON lines, and prints what happened as the dependencies saw it, for
// holding the report of retrystat against it.
//
//	go run ./checkout -out out/checkout.jsonl
//	retrystat report out/checkout.jsonl
//
// The service with the mistakes is in package before, the corrected one in
// package after.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/retrykit/retrykit/examples/checkout/after"
	"github.com/retrykit/retrykit/examples/otlpfile"
	"github.com/retrykit/retrykit/otelretry"
)

const (
	// metricInterval is how often metrics are exported.
	metricInterval = 5 * time.Second
	// shutdownGrace bounds the export of what is left, and the servers' last answers.
	shutdownGrace = 10 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "checkout:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("checkout", flag.ContinueOnError)
	var (
		out    = flags.String("out", "out/checkout.jsonl", "file for the telemetry; overwritten")
		orders = flags.Int("orders", 400, "number of orders")
		rate   = flags.Float64("rate", 20, "orders per second")
		seed   = flags.Uint64("seed", 1, "seed of all failures")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *orders < 1:
		return fmt.Errorf("-orders must be at least 1, got %d", *orders)
	case !(*rate > 0 && *rate <= 1000):
		return fmt.Errorf("-rate must be over 0 and at most 1000 per second, got %v", *rate)
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o755); err != nil {
		return err
	}
	part := *out + ".part" // until it is whole: a run that is interrupted leaves no half recording
	file, err := os.Create(part)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	defer file.Close()
	every := time.Duration(float64(time.Second) / *rate)
	seen, err := checkOut(ctx, file, *orders, every, *seed)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(part, *out); err != nil {
		return err
	}
	return seen.print(stdout)
}

// checkOut starts the dependencies and a collector on loopback addresses, runs
// the load, and says what happened.
func checkOut(ctx context.Context, telemetryFile io.Writer, orders int, every time.Duration, seed uint64) (seen truth, err error) {
	flaky, ledger, err := dependencies(seed)
	if err != nil {
		return truth{}, err
	}
	url, stopDependencies, err := serve(ctx, flaky)
	if err != nil {
		return truth{}, err
	}
	defer func() { err = errors.Join(err, stopDependencies()) }()
	defer flaky.Close()
	collector, stopCollector, err := serve(ctx, otlpfile.NewHandler(telemetryFile))
	if err != nil {
		return truth{}, err
	}
	defer func() { err = errors.Join(err, stopCollector()) }()
	// A connection for each attempt: on one that was kept and turns out to be
	// dead, net/http by itself repeats a request that carries an idempotency
	// key, which is an attempt that the telemetry would not know of.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	defer client.CloseIdleConnections()
	checkouts, err := recorded(ctx, url, client, collector, client, orders, every)
	if err != nil {
		return truth{}, err
	}
	return truth{checkouts: checkouts, routes: flaky.Stats(), receipts: ledger.Receipts()}, nil
}

// recorded runs the load through the service at the dependencies' URL and exports
// its telemetry to the collector.
func recorded(ctx context.Context, url string, client *http.Client, collector string, collectorClient *http.Client, orders int, every time.Duration) (checkouts, error) {
	sdk, err := startTelemetry(ctx, collector, collectorClient)
	if err != nil {
		return checkouts{}, err
	}
	// The policies' warnings are in the telemetry; here they would drown the rest.
	options := append(sdk.options(), otelretry.WithLogger(slog.New(slog.DiscardHandler)))
	service, err := after.NewService(url, client, options...)
	if err != nil {
		return checkouts{}, errors.Join(err, sdk.shutdown(ctx))
	}
	done, loadErr := load(ctx, service.Checkout, orders, every)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	return done, errors.Join(loadErr, sdk.shutdown(grace))
}

// serve runs the handler on a loopback port of the system's choice until stop
// is called.
func serve(ctx context.Context, handler http.Handler) (url string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	stop = func() error {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
		defer cancel()
		if err := server.Shutdown(grace); err != nil {
			return fmt.Errorf("stopping the server: %w", err)
		}
		if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
	return "http://" + listener.Addr().String(), stop, nil
}
