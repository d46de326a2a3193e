package migration

import (
	"context"
	"errors"
	"net/http"

	"github.com/retrykit/retrykit/otelretry"
)

// Order and Receipt are what the client of the examples takes and gives.
type (
	Order   struct{ ID string }
	Receipt struct{ Order string }
)

// Client calls the payment service.
type Client interface {
	// Charge charges as often as it is called.
	Charge(context.Context, Order) (Receipt, error)
	// ChargeOnce charges once for each key.
	ChargeOnce(ctx context.Context, key string, order Order) (Receipt, error)
}

// ErrDeclined is a failure that no retry helps.
var ErrDeclined = errors.New("card declined")

// isTransient is what the examples before decide by.
func isTransient(err error) bool {
	var status interface{ StatusCode() int }
	return errors.As(err, &status) && status.StatusCode() == http.StatusServiceUnavailable
}

// shop is a program that makes requests of one dependency.
type shop struct {
	client          Client
	charge, balance *otelretry.Operation
}
