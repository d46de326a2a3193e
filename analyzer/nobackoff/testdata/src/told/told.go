// Package told has loops which only a name tells to be retries.
package told

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
)

var (
	ErrRetry = errors.New("retry")
	errMoved = errors.New("moved")
)

type client struct{ http *http.Client }

func (c *client) ask(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return ErrRetry
	}
	return resp.Body.Close()
}

func isRetryable(err error) bool {
	var n net.Error
	return errors.As(err, &n)
}

func (c *client) predicate(ctx context.Context, url string) error {
	for { // want `a failed c.ask is repeated at once`
		err := c.ask(ctx, url)
		if err == nil || !isRetryable(err) {
			return err
		}
	}
}

func (c *client) counted(ctx context.Context, url string) (err error) {
	for i := 0; i < 5; i++ { // want `a failed c.ask is repeated at once`
		if err = c.ask(ctx, url); err == nil {
			return nil
		}
		if !isRetryable(err) {
			return err
		}
	}
	return err
}

func (c *client) sentinel(ctx context.Context, url string) error {
	for { // want `a failed c.ask is repeated at once`
		err := c.ask(ctx, url)
		if !errors.Is(err, ErrRetry) {
			return err
		}
	}
}

func (c *client) compared(ctx context.Context, url string) error {
	for { // want `a failed c.ask is repeated at once`
		err := c.ask(ctx, url)
		if err == ErrRetry {
			continue
		}
		return err
	}
}

// A named failure that another attempt cures at once.
func (c *client) moved(ctx context.Context, url string) error {
	for {
		err := c.ask(ctx, url)
		if !errors.Is(err, errMoved) {
			return err
		}
	}
}

// The text says that the other side is slow.
func (c *client) slow(ctx context.Context, url string) (err error) {
	for i := 0; i < 3; i++ { // want `a failed c.ask is repeated at once`
		err = c.ask(ctx, url)
		if err != nil {
			if i < 2 && strings.Contains(err.Error(), "Client.Timeout exceeded") {
				continue
			}
			return err
		}
		return err
	}
	return err
}

func (c *client) renamed(ctx context.Context, url string) (err error) {
	for i := 0; i < 3; i++ {
		if err = c.ask(ctx, url); err == nil || !strings.Contains(err.Error(), "moved to") {
			return err
		}
	}
	return err
}
