// Package after is the checkout service of package before with its retries put
// right: every dependency has a policy, every wait ends with its caller, a
// charge carries one key however often it is sent, and what can't be retried is
// not.
package after

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/retrykit/retrykit/examples/checkout/shop"
	"github.com/retrykit/retrykit/otelretry"
)

// A Service checks out orders. It is safe for concurrent use.
type Service struct {
	url    string // where its dependencies are, without a slash at the end
	client *http.Client

	lookUp, reserve, quote, charge *otelretry.Operation
}

// NewService returns a service that reaches its dependencies at the URL. The
// options are added to every policy: telemetry providers, or a clock.
func NewService(url string, client *http.Client, options ...otelretry.Option) (*Service, error) {
	policy := func(dependency string, own ...otelretry.Option) (*otelretry.Policy, error) {
		return otelretry.New(dependency, append(own, options...)...)
	}
	customers, err := policy("customers",
		otelretry.WithMaxAttempts(3), otelretry.WithDeadline(2*time.Second), otelretry.WithAttemptTimeout(500*time.Millisecond))
	if err != nil {
		return nil, err
	}
	inventory, err := policy("inventory",
		otelretry.WithMaxAttempts(3), otelretry.WithDeadline(4*time.Second), otelretry.WithAttemptTimeout(500*time.Millisecond))
	if err != nil {
		return nil, err
	}
	// A quote is worth two seconds of the customer's time, not more.
	shipping, err := policy("shipping",
		otelretry.WithMaxAttempts(3), otelretry.WithDeadline(2*time.Second), otelretry.WithAttemptTimeout(1200*time.Millisecond))
	if err != nil {
		return nil, err
	}
	payments, err := policy("payments",
		otelretry.WithMaxAttempts(4), otelretry.WithDeadline(4*time.Second), otelretry.WithAttemptTimeout(800*time.Millisecond))
	if err != nil {
		return nil, err
	}
	return &Service{
		url:     url,
		client:  client,
		lookUp:  customers.Operation("look_up", otelretry.Idempotent()),
		reserve: inventory.Operation("reserve", otelretry.Idempotent()),
		quote:   shipping.Operation("quote", otelretry.Idempotent()),
		charge:  payments.Operation("charge"),
	}, nil
}

// Checkout reserves the stock and charges the customer. It does without the
// customer's account and without a shipping quote where it can't have them.
func (s *Service) Checkout(ctx context.Context, order shop.Order) (shop.Receipt, error) {
	if err := s.lookUp.Run(ctx, s.send(http.MethodGet, "/customers/"+order.ID)); err != nil {
		slog.DebugContext(ctx, "checking out as a guest", "order", order.ID, "reason", err)
	}
	if err := s.reserve.Run(ctx, s.send(http.MethodPut, "/stock/"+order.ID)); err != nil {
		return shop.Receipt{}, fmt.Errorf("reserving the stock of order %s: %w", order.ID, err)
	}
	if err := s.quote.Run(ctx, s.send(http.MethodGet, "/quotes/"+order.ID)); err != nil {
		slog.DebugContext(ctx, "shipping at the flat rate", "order", order.ID, "reason", err)
	}
	receipt, err := s.chargeCustomer(ctx, order)
	if err != nil {
		return shop.Receipt{}, fmt.Errorf("charging order %s: %w", order.ID, err)
	}
	return receipt, nil
}

// send returns one attempt at a request without a body.
func (s *Service) send(method, path string) func(context.Context) error {
	return func(ctx context.Context) error {
		req, err := shop.NewRequest(ctx, method, s.url+path, nil)
		if err != nil {
			return err
		}
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return withHint(resp, shop.Decode(resp, nil))
	}
}

// chargeCustomer may be repeated because every attempt carries the same key: one
// whose answer was lost finds the charge made.
func (s *Service) chargeCustomer(ctx context.Context, order shop.Order) (shop.Receipt, error) {
	return otelretry.Do(ctx, s.charge, func(ctx context.Context) (shop.Receipt, error) {
		req, err := shop.NewRequest(ctx, http.MethodPost, s.url+"/charges", order)
		if err != nil {
			return shop.Receipt{}, err
		}
		req.Header.Set("Idempotency-Key", otelretry.IdempotencyKey(ctx))
		resp, err := s.client.Do(req)
		if err != nil {
			return shop.Receipt{}, err
		}
		if resp.Header.Get("Idempotent-Replayed") == "true" {
			otelretry.IdempotencyReplayed(ctx)
		}
		var receipt shop.Receipt
		err = withHint(resp, shop.Decode(resp, &receipt))
		return receipt, err
	})
}

// withHint adds what a refused attempt was told to wait: a 429 or 503 that
// names a time, and a 409, which the payment service gives while an earlier
// attempt with the same key is under way. Any other status is for the policy to
// classify.
func withHint(resp *http.Response, err error) error {
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusConflict:
		if wait, ok := otelretry.ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now()); ok {
			return otelretry.RetryAfter(wait, err)
		}
	}
	return err
}
