package fix

import (
	"context"
	"net/http"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"
)

const perSecond = 10

func send(ctx context.Context) error { return ctx.Err() }

// guarded sends under a breaker.
func guarded(ctx context.Context) error {
	b := gobreaker.NewCircuitBreaker[any](gobreaker.Settings{}) // want `makes the circuit breaker b for each call`
	_, err := b.Execute(func() (any, error) { return nil, send(ctx) })
	return err
}

func limited(w http.ResponseWriter, r *http.Request) {
	lim := rate.NewLimiter(perSecond, 1) // want `makes the rate limiter lim for each call`
	if !lim.Allow() {
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// Another fix has the name: no fix.
func again(w http.ResponseWriter, r *http.Request) {
	lim := rate.NewLimiter(perSecond, 2) // want `makes the rate limiter lim for each call`
	if !lim.Allow() {
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// It depends on the call: no fix.
func sized(w http.ResponseWriter, r *http.Request, burst int) {
	limiter := rate.NewLimiter(perSecond, burst) // want `makes the rate limiter limiter for each call`
	if !limiter.Allow() {
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

// There is an error to handle: no fix.
func policy(ctx context.Context) error {
	p, err := otelretry.New("payments") // want `makes the retry policy p for each call`
	if err != nil {
		return err
	}
	return p.Operation("charge").Run(ctx, send)
}
