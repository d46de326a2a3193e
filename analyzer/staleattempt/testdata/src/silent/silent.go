package silent

import (
	"context"
	"net/http"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
)

type Client struct{ charge *otelretry.Operation }

func (c *Client) get(ctx context.Context, url string) error {
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

func (c *Client) Own(ctx context.Context, url string) error {
	return c.charge.Run(ctx, func(ctx context.Context) error { return c.get(ctx, url) })
}

func (c *Client) DerivedFromOwn(ctx context.Context, url string) error {
	return c.charge.Run(ctx, func(attempt context.Context) error {
		quiet := context.WithoutCancel(attempt)
		return c.get(quiet, url)
	})
}

// The library hands on the context that it was called with.
func (c *Client) TheSame(ctx context.Context, url string, b retry.Backoff) error {
	return retry.Do(ctx, b, func(_ context.Context) error {
		return retry.RetryableError(c.get(ctx, url))
	})
}

func (c *Client) Polled(ctx context.Context, url string) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) {
		return c.get(ctx, url) == nil, nil
	})
}

// The outer variable holds the attempt's context by then.
func (c *Client) SetInside(ctx context.Context, url string) error {
	var current context.Context
	return c.charge.Run(ctx, func(attempt context.Context) error {
		current = attempt
		return c.get(current, url)
	})
}
