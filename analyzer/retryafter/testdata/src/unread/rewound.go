package unread

import (
	"context"
	"net/http"
	"time"
)

// The body is renewed into the variable of the error on the way back.
func rewound(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	delay := time.Second
	for {
		resp, err := c.Do(req) // want `retries c.Do after a 429 without reading Retry-After`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests || delay > time.Minute {
			return resp, nil
		}
		resp.Body.Close()
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if req.GetBody != nil {
			req.Body, err = req.GetBody()
			if err != nil {
				return nil, err
			}
		}
		delay *= 2
	}
}
