package plain

import (
	"context"
	"net/http"
	"time"
)

type Client struct{ HTTP http.RoundTripper }

func (c *Client) Charge(ctx context.Context, order int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://example.com/charge", nil)
	if err != nil {
		return err
	}
	resp, err := c.HTTP.RoundTrip(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (c *Client) Receipt(ctx context.Context, order int) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.com/receipt", nil)
	if err != nil {
		return nil, err
	}
	return c.HTTP.RoundTrip(req)
}

// Pay is the shape of most loops.
func Pay(ctx context.Context, client *Client, order int) error {
	var err error
	for attempt := 0; attempt < 4; attempt++ { // want `retries client.Charge by hand, 4 attempts in all`
		if err = client.Charge(ctx, order); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// Fetch has a value, a wait that the context ends, and the check apart.
func (c *Client) Fetch(ctx context.Context, order int) (resp *http.Response, err error) {
	for range 3 { // want `retries c.Receipt by hand, 3 attempts in all`
		resp, err = c.Receipt(ctx, order)
		if err == nil {
			return resp, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil, err
}
