// Package demo is the checkout service under a steady load, with dependencies
// that can be made to fail and to recover while it runs.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/otlptranslator"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/retrykit/retrykit/examples/checkout/after"
	"github.com/retrykit/retrykit/examples/checkout/shop"
	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/otelretry"
)

// A Demo is a running service.
type Demo struct {
	fault atomic.Bool
	flaky *flakyserver.Server
	stop  func() error
}

// Metrics returns a meter provider whose metrics are scraped from the handler,
// under the names that the strategy makes.
func Metrics(strategy otlptranslator.TranslationStrategyOption) (*sdkmetric.MeterProvider, http.Handler, error) {
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithTranslationStrategy(strategy))
	if err != nil {
		return nil, nil, fmt.Errorf("metric exporter: %w", err)
	}
	// OpenMetrics carries the exemplars.
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
	return sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter)), handler, nil
}

// Start starts the dependencies on a loopback address, and the service with
// that many orders a second, until Stop. Its dependencies are well at first.
// The options are added to those of the service's policies.
func Start(ctx context.Context, meters metric.MeterProvider, ordersPerSecond float64, seed uint64, options ...otelretry.Option) (*Demo, error) {
	if !(ordersPerSecond > 0 && ordersPerSecond <= 1000) {
		return nil, fmt.Errorf("orders a second must be over 0 and at most 1000, got %v", ordersPerSecond)
	}
	d := &Demo{flaky: flakyserver.NewServer(seed)}
	if err := d.route(); err != nil {
		return nil, err
	}
	url, stopServer, err := Serve(ctx, d.flaky)
	if err != nil {
		return nil, err
	}
	// A budget that lets an outage show in the attempts before it refuses.
	budget, err := otelretry.NewShareBudget("checkout", 0.5, 20)
	if err != nil {
		return nil, errors.Join(err, stopServer())
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	options = append([]otelretry.Option{
		otelretry.WithMeterProvider(meters), otelretry.WithBudget(budget), otelretry.WithLogger(slog.New(slog.DiscardHandler)),
	}, options...)
	service, err := after.NewService(url, client, options...)
	if err != nil {
		return nil, errors.Join(err, stopServer())
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		load(ctx, service, time.Duration(float64(time.Second)/ordersPerSecond))
	}()
	d.stop = func() error {
		cancel()
		<-ended
		client.CloseIdleConnections()
		d.flaky.Close()
		return stopServer()
	}
	return d, nil
}

// SetFault makes the dependencies fail, or recover.
func (d *Demo) SetFault(on bool) { d.fault.Store(on) }

// Stats is what the dependencies have seen so far, route by route.
func (d *Demo) Stats() []flakyserver.Stats { return d.flaky.Stats() }

// Stop ends the load, waits for the orders that are under way, and stops the
// dependencies.
func (d *Demo) Stop() error { return d.stop() }

// route gives each dependency a way to fail.
func (d *Demo) route() error {
	customers, err := flakyserver.Sometimes(0.6)
	if err != nil {
		return err
	}
	stock, err := flakyserver.Mix(flakyserver.Share{Of: 0.6, Meet: flakyserver.First(1, flakyserver.Down())})
	if err != nil {
		return err
	}
	quotes, err := flakyserver.Mix(flakyserver.Share{Of: 0.3, Meet: flakyserver.Hangs()})
	if err != nil {
		return err
	}
	charges, err := flakyserver.Mix(
		flakyserver.Share{Of: 0.3, Meet: flakyserver.First(1, flakyserver.Down())},
		flakyserver.Share{Of: 0.2, Meet: flakyserver.First(1, flakyserver.Hangs())}, // charged, and the answer lost
		flakyserver.Share{Of: 0.2, Meet: flakyserver.Down()},
	)
	if err != nil {
		return err
	}
	d.flaky.Route("GET /customers/{id}", d.inFault(customers))
	d.flaky.Route("PUT /stock/{id}", d.inFault(stock))
	d.flaky.Route("GET /quotes/{id}", d.inFault(quotes))
	d.flaky.RouteCharges("POST /charges", flakyserver.NewLedger(0), d.inFault(charges))
	return nil
}

// inFault is the behaviour while the fault is on, and fine otherwise.
func (d *Demo) inFault(b flakyserver.Behaviour) flakyserver.Behaviour {
	fine := flakyserver.Fine()
	return func(a flakyserver.Attempt) flakyserver.Answer {
		if d.fault.Load() {
			return b(a)
		}
		return fine(a)
	}
}

// load sends orders at an even pace until the context is done, and waits for
// those that are under way.
func load(ctx context.Context, service *after.Service, every time.Duration) {
	var wg sync.WaitGroup
	defer wg.Wait()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	// An order that was begun is finished: its deadlines end it soon enough.
	orders := context.WithoutCancel(ctx)
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		order := shop.Order{ID: fmt.Sprintf("order-%06d", n), AmountCents: 1000 + int64(n%1000), Currency: "EUR"}
		wg.Go(func() {
			if _, err := service.Checkout(orders, order); err != nil {
				slog.Debug("an order failed", "order", order.ID, "reason", err)
			}
		})
	}
}

// Serve serves the handler on a loopback address until stop is called.
func Serve(ctx context.Context, handler http.Handler) (url string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return "http://" + listener.Addr().String(), func() error {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err := server.Shutdown(grace)
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}, nil
}
