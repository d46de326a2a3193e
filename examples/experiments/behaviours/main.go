// Behaviours sends one request to each of the four kinds of failure that a
// retry policy has to tell apart, and prints when each attempt was answered
// and what the caller got in the end.
//
//	go run ./experiments/behaviours
//
// It takes the few seconds that the waits take. The last request waits on a
// clock of its own, so that its schedule can be told to the nanosecond.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: behaviours")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	handler, err := newServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, "behaviours:", err)
		os.Exit(1)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	if err := show(ctx, os.Stdout, http.DefaultTransport, server.URL); err != nil {
		fmt.Fprintln(os.Stderr, "behaviours:", err)
		os.Exit(1)
	}
}

// newServer has a route for each behaviour, and one that is down and asks for
// seven seconds.
func newServer() (*flakyserver.Server, error) {
	server, _, err := flakyserver.NewStandard(1, 3*time.Second, 0)
	if err != nil {
		return nil, err
	}
	server.Route("/overloaded/{id}", func(flakyserver.Attempt) flakyserver.Answer {
		return flakyserver.Answer{Status: http.StatusServiceUnavailable, RetryAfter: 7 * time.Second}
	})
	return server, nil
}

// request is one of the experiment.
type request struct {
	title    string
	path     string
	attempts int
	clock    *otelretrytest.Clock // nil: the system's
}

func requests() []request {
	return []request{
		{title: "recovers after four 503", path: "/recovers/1", attempts: 5},
		{title: "is not there", path: "/missing/1", attempts: 5},
		{title: "is throttled: 429 with Retry-After: 3", path: "/throttled/1", attempts: 5},
		{title: "stays down", path: "/down/1", attempts: 5},
		{title: "asks for 7 s, 3 attempts, waits injected", path: "/overloaded/1", attempts: 3, clock: otelretrytest.NewClock(1)},
	}
}

// outcome is what came of a request.
type outcome struct {
	request
	retries []time.Duration // the waits
	status  int             // of the response that the caller got
	body    string
	reason  otelretry.Outcome
	took    time.Duration
}

// show sends all requests at once and prints what came of them.
func show(ctx context.Context, w io.Writer, base http.RoundTripper, url string) error {
	all := requests()
	outcomes, errs := make([]outcome, len(all)), make([]error, len(all))
	var running sync.WaitGroup
	for i, r := range all {
		running.Go(func() { outcomes[i], errs[i] = r.send(ctx, base, url) })
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, o := range outcomes {
		attempts := "1 attempt"
		if n := len(o.retries); n > 0 {
			attempts = fmt.Sprintf("%d attempts, waits %v", n+1, rounded(o.retries))
		}
		fmt.Fprintf(w, "%s\n  %s: %s after %v, caller gets %d %q\n",
			o.title, attempts, o.reason, o.took.Round(10*time.Millisecond), o.status, o.body)
	}
	return nil
}

func rounded(waits []time.Duration) []time.Duration {
	to := make([]time.Duration, len(waits))
	for i, wait := range waits {
		to[i] = wait.Round(10 * time.Millisecond)
	}
	return to
}

// send makes the request through a client with a policy of its own: 200 ms,
// doubled up to 3 s, without jitter, so that the schedule is the same each time.
func (r request) send(ctx context.Context, base http.RoundTripper, url string) (outcome, error) {
	o := outcome{request: r}
	options := []otelretry.Option{
		otelretry.WithMaxAttempts(r.attempts),
		otelretry.WithDeadline(time.Minute),
		otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second)),
		otelretry.WithLogger(slog.New(slog.DiscardHandler)),
		otelretry.WithObserver(func(e otelretry.Event) {
			switch e.Kind {
			case otelretry.RetryScheduled:
				o.retries = append(o.retries, e.Delay)
			case otelretry.RequestEnded:
				o.reason, o.took = e.Outcome, e.Elapsed
			}
		}),
	}
	if r.clock != nil {
		options = append(options, otelretry.WithClock(r.clock))
	}
	policy, err := otelretry.New("flaky", options...)
	if err != nil {
		return outcome{}, err
	}
	transport, err := otelretryhttp.NewTransport(base, policy)
	if err != nil {
		return outcome{}, err
	}
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, url+r.path, nil)
	if err != nil {
		return outcome{}, err
	}
	response, err := (&http.Client{Transport: transport}).Do(get)
	if err != nil {
		return outcome{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	o.status, o.body = response.StatusCode, string(body)
	return o, err
}
