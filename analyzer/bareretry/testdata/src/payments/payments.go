// Package payments is a client of a remote service.
package payments

import (
	"context"
	"errors"
	"net/http"
)

var ErrUnavailable = errors.New("unavailable")

type Order struct{ ID string }

type Client struct{ HTTP *http.Client }

func (c *Client) Charge(ctx context.Context, o Order) error { return nil }

func (c *Client) Cancel(ctx context.Context, o Order) error { return nil }

func (c *Client) Find(ctx context.Context, id string) (*Order, error) { return nil, nil }

type APIError struct{ Status int }

func (e *APIError) Error() string { return "api" }

func IsTransient(err error) bool { return errors.Is(err, ErrUnavailable) }
