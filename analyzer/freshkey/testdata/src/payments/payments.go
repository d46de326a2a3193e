// Package payments is a client of a remote service.
package payments

import (
	"context"
	"errors"
	"net/http"
)

var ErrExists = errors.New("exists")

type Order struct {
	ID             string
	IdempotencyKey string
	Note           string
}

type Client struct{ HTTP *http.Client }

func (c *Client) Charge(ctx context.Context, o Order) error { return nil }

func (c *Client) Refund(ctx context.Context, idempotencyKey string, cents int) error { return nil }

func (c *Client) Create(ctx context.Context, id string) error { return nil }
