package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/retrykit/retrykit/examples/checkout/shop"
	"github.com/retrykit/retrykit/otelretry"
)

// checkouts is what became of the orders, as their customers see it.
type checkouts struct {
	orders   int
	receipts map[string]shop.Receipt // by order
	failures map[string]int          // by dependency and reason
}

// load sends orders at an even pace, whether or not earlier ones have been
// answered: an open loop, so that a slow dependency does not slow the load that
// it is under. It waits for all of them.
func load(ctx context.Context, checkout func(context.Context, shop.Order) (shop.Receipt, error), orders int, every time.Duration) (checkouts, error) {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		result = checkouts{orders: orders, receipts: map[string]shop.Receipt{}, failures: map[string]int{}}
	)
	defer wg.Wait()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for n := range orders {
		order := shop.Order{ID: fmt.Sprintf("order-%04d", n+1), AmountCents: 1000 + int64(n), Currency: "EUR"}
		wg.Go(func() {
			receipt, err := checkout(ctx, order)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				result.failures[reason(err)]++
				return
			}
			result.receipts[order.ID] = receipt
		})
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return checkouts{}, ctx.Err()
		}
	}
	wg.Wait()
	return result, ctx.Err()
}

// reason names why an order failed, without the words of the error.
func reason(err error) string {
	gaveUp, ok := errors.AsType[*otelretry.Error](err)
	if !ok {
		return "other"
	}
	return gaveUp.Dependency + " " + gaveUp.Operation + ": " + gaveUp.Reason.String()
}
