package percall

import (
	"context"
	"net/http"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"
)

func send(ctx context.Context) error { return ctx.Err() }

func breaker(ctx context.Context) error {
	b := gobreaker.NewCircuitBreaker[any](gobreaker.Settings{}) // want `makes the circuit breaker b for each call of breaker, so it has seen no failure yet and never opens; make it once and keep it in a field or a package variable`
	_, err := b.Execute(func() (any, error) { return nil, send(ctx) })
	return err
}

func limiter(w http.ResponseWriter, r *http.Request) {
	lim := rate.NewLimiter(10, 1) // want `makes the rate limiter lim for each call of limiter`
	if !lim.Allow() {
		w.WriteHeader(http.StatusTooManyRequests)
	}
}

func policy(ctx context.Context) error {
	p, err := otelretry.New("payments") // want `makes the retry policy p for each call of policy`
	if err != nil {
		return err
	}
	return p.Operation("charge").Run(ctx, send)
}

func get(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The loop repeats one call: the limiter is that call's own.
func inRetry(ctx context.Context, url string) (err error) {
	lim := rate.NewLimiter(10, 1) // want `makes the rate limiter lim for each call of inRetry`
	for i := 0; i < 3; i++ {
		if err = lim.Wait(ctx); err != nil {
			return err
		}
		if err = get(ctx, url); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

// The operation that is made of a policy is no less of this call.
func operation(ctx context.Context) error {
	p, err := otelretry.New("payments") // want `makes the retry policy p for each call of operation`
	if err != nil {
		return err
	}
	charge := p.Operation("charge")
	return charge.Run(ctx, send)
}

func byDo(ctx context.Context) (int, error) {
	p, err := otelretry.New("payments") // want `makes the retry policy p for each call of byDo`
	if err != nil {
		return 0, err
	}
	return otelretry.Do(ctx, p.Operation("charge"), func(ctx context.Context) (int, error) { return 1, send(ctx) })
}

func byVariable(ctx context.Context) (int, error) {
	p, err := otelretry.New("payments") // want `makes the retry policy p for each call of byVariable`
	if err != nil {
		return 0, err
	}
	charge := p.Operation("charge")
	return otelretry.Do(ctx, charge, func(ctx context.Context) (int, error) { return 1, send(ctx) })
}
