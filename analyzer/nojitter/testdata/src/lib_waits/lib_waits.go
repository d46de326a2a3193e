// Package lib_waits leaves the waits to a library.
package lib_waits

import (
	"context"
	"net/http"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	sethvargo "github.com/sethvargo/go-retry"
)

func get(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://items", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func marked(ctx context.Context) error {
	return sethvargo.RetryableError(get(ctx))
}

func grows(ctx context.Context) error {
	return sethvargo.Exponential(ctx, time.Second, marked) // want `is growing but the same for every client, so that all who failed together come back together; give sethvargo\.Exponential a wait with jitter`
}

// Silent: it is drawn at random.
func drawn(ctx context.Context) error {
	return sethvargo.Do(ctx, sethvargo.WithJitter(time.Second, sethvargo.NewExponential(time.Second)), marked)
}

func operation(b otelretry.Backoff) *otelretry.Operation {
	policy, err := otelretry.New("items", otelretry.WithBackoff(b))
	if err != nil {
		panic(err)
	}
	return policy.Operation("get")
}

var (
	steady = operation(otelretry.Constant(time.Second))
	random = operation(otelretry.FullJitter(time.Second, time.Minute))
)

func inStep(ctx context.Context) error {
	return steady.Run(ctx, get) // want `is the same number for every client, so that all who failed together come back together; give steady\.Run a wait with jitter`
}

// Silent: it is drawn at random.
func apart(ctx context.Context) error { return random.Run(ctx, get) }
