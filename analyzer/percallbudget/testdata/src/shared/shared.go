package shared

import (
	"context"
	"net/http"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"
)

var global = gobreaker.NewCircuitBreaker[any](gobreaker.Settings{})

type client struct {
	breaker *gobreaker.CircuitBreaker[any]
	policy  *otelretry.Policy
}

func newClient(ctx context.Context) (*client, error) {
	b := gobreaker.NewCircuitBreaker[any](gobreaker.Settings{})
	p, err := otelretry.New("payments")
	if err != nil {
		return nil, err
	}
	return &client{breaker: b, policy: p}, nil
}

func (c *client) send(ctx context.Context) error {
	_, err := c.breaker.Execute(func() (any, error) { return nil, ctx.Err() })
	return err
}

// One limiter for all items of a batch is shared as it should be.
func batch(ctx context.Context, items []string, do func(string) error) error {
	lim := rate.NewLimiter(10, 1)
	for _, item := range items {
		if err := lim.Wait(ctx); err != nil {
			return err
		}
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// The handler lives on.
func handler(ctx context.Context) http.Handler {
	lim := rate.NewLimiter(10, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !lim.Allow() {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
}

func handed(ctx context.Context) error {
	lim := rate.NewLimiter(10, 1)
	return use(ctx, lim)
}

func use(ctx context.Context, lim *rate.Limiter) error { return lim.Wait(ctx) }

// Nothing says that it runs more than once.
func startUp() error {
	p, err := otelretry.New("payments")
	if err != nil {
		return err
	}
	return p.Operation("warm-up").Run(context.Background(), func(context.Context) error { return nil })
}

// The operation is handed on, and with it the policy.
func operation(ctx context.Context) (*otelretry.Operation, error) {
	p, err := otelretry.New("payments")
	if err != nil {
		return nil, err
	}
	charge := p.Operation("charge")
	if err := charge.Run(ctx, func(ctx context.Context) error { return ctx.Err() }); err != nil {
		return nil, err
	}
	return charge, nil
}
