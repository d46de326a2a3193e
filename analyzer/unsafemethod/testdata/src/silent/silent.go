package silent

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"syscall"
	"time"
)

const endpoint = "https://payments.example.com/charges"

func withKey(ctx context.Context, c *http.Client, body []byte, key string) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", key)
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

func put(ctx context.Context, c *http.Client, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, endpoint, bytes.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

func searchOrders(c *http.Client, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body))
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

func onlyRefused(c *http.Client, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body))
		if err == nil {
			return resp.Body.Close()
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return err
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

func anyMethod(ctx context.Context, c *http.Client, method string, body []byte) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequestWithContext(ctx, method, endpoint, bytes.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

// The header tells the server which payload it is.
func withID(c *http.Client, body []byte, id string) error {
	var last error
	for i := 0; i < 3; i++ {
		req, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("X-Payload-ID", id)
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}
