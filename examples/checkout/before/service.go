// Package before is a checkout service with four mistakes in the way it
// retries, each of which passes review every day. It compiles, and it works as
// long as its dependencies do. `make demo` shows what retrylint says about it;
// package after is the same service without them.
package before

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/avast/retry-go/v5"
	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"
	sethvargo "github.com/sethvargo/go-retry"

	"github.com/retrykit/retrykit/examples/checkout/shop"
)

// A Service checks out orders.
type Service struct {
	url    string // where its dependencies are, without a slash at the end
	client *http.Client
}

// NewService returns a service that reaches its dependencies at the URL.
func NewService(url string, client *http.Client) *Service {
	return &Service{url: url, client: client}
}

// Checkout reserves the stock, charges the customer and sends the confirmation.
func (s *Service) Checkout(ctx context.Context, order shop.Order) (shop.Receipt, error) {
	if err := s.lookUpCustomer(ctx, order); err != nil {
		slog.InfoContext(ctx, "checking out as a guest", "order", order.ID, "reason", err)
	}
	if err := s.reserve(order); err != nil {
		return shop.Receipt{}, fmt.Errorf("reserving the stock of order %s: %w", order.ID, err)
	}
	receipt, err := s.charge(ctx, order)
	if err != nil {
		return shop.Receipt{}, fmt.Errorf("charging order %s: %w", order.ID, err)
	}
	if err := s.confirm(order); err != nil {
		slog.WarnContext(ctx, "no confirmation was sent", "order", order.ID, "error", err)
	}
	return receipt, nil
}

// lookUpCustomer asks again whatever went wrong: a customer who does not exist
// is looked up five times. It sleeps on after its caller has gone.
func (s *Service) lookUpCustomer(ctx context.Context, order shop.Order) error {
	var err error
	for attempt := range 5 {
		if attempt > 0 {
			time.Sleep(time.Duration(attempt) * 200 * time.Millisecond)
		}
		if err = s.send(ctx, http.MethodGet, "/customers/"+order.ID); err == nil {
			return nil
		}
	}
	return err
}

// charge gives every attempt a key of its own, so an attempt whose answer was
// lost is charged again. A declined card is tried for fifteen minutes.
func (s *Service) charge(ctx context.Context, order shop.Order) (shop.Receipt, error) {
	return backoff.Retry(ctx, func() (shop.Receipt, error) {
		req, err := shop.NewRequest(ctx, http.MethodPost, s.url+"/charges", order)
		if err != nil {
			return shop.Receipt{}, err
		}
		req.Header.Set("Idempotency-Key", uuid.NewString())
		resp, err := s.client.Do(req)
		if err != nil {
			return shop.Receipt{}, err
		}
		var receipt shop.Receipt
		err = shop.Decode(resp, &receipt)
		return receipt, err
	})
}

// reserve looks at what failed, but was not given a context: nothing can end
// its waits, and nothing bounds an attempt that never comes back.
func (s *Service) reserve(order shop.Order) error {
	return retry.New(
		retry.Attempts(5),
		retry.Delay(300*time.Millisecond),
		retry.RetryIf(isUnavailable),
	).Do(func() error {
		return s.send(context.Background(), http.MethodPut, "/stock/"+order.ID)
	})
}

// confirm outlives the request on purpose, and so its deadline is nobody's.
func (s *Service) confirm(order shop.Order) error {
	return sethvargo.Exponential(context.Background(), 200*time.Millisecond, func(ctx context.Context) error {
		return sethvargo.RetryableError(s.send(ctx, http.MethodPut, "/confirmations/"+order.ID))
	})
}

func (s *Service) send(ctx context.Context, method, path string) error {
	req, err := shop.NewRequest(ctx, method, s.url+path, nil)
	if err != nil {
		return err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	return shop.Decode(resp, nil)
}

func isUnavailable(err error) bool {
	status, ok := errors.AsType[*shop.StatusError](err)
	return ok && status.Code == http.StatusServiceUnavailable
}
