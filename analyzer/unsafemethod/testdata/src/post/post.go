package post

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"
)

const endpoint = "https://payments.example.com/charges"

func charge(c *http.Client, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body)) // want `sends the POST of c.Post again after any error, though the server may have acted on it already; send an idempotency key that is made once, or retry only what was not sent`
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

func update(ctx context.Context, c *http.Client, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPatch, endpoint, bytes.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := c.Do(req) // want `sends the PATCH of c.Do again`
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

// A header and a message say nothing of what the request does.
func signed(c *http.Client, token string, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
		if err != nil {
			return fmt.Errorf("update the auth of charges: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := c.Do(req) // want `sends the POST of c.Do again`
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}
