package outer

import (
	"context"
	"net/http"
	"time"

	"github.com/retrykit/retrykit/otelretry"
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

func (c *Client) Parameter(ctx context.Context, url string) error {
	return c.charge.Run(ctx, func(attemptCtx context.Context) error {
		return c.get(ctx, url) // want `calls c.get with the outer ctx, so the attempt's time limit and span don't reach it; use the attempt's context, attemptCtx`
	})
}

func (c *Client) Derived(ctx context.Context, url string) error {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return c.charge.Run(limited, func(ctx context.Context) error {
		return c.get(limited, url) // want `calls c.get with the outer limited`
	})
}

func (c *Client) Unnamed(ctx context.Context, url string) error {
	return c.charge.Run(ctx, func(_ context.Context) error {
		return c.get(ctx, url) // want `use the attempt's context, its own`
	})
}
