package post

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

func gateway(c *http.Client, body []byte) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body)) // want `sends the POST of c.Post again after a 502 or a 504`
		if err != nil {
			return nil, err
		}
		if !ambiguous(resp.StatusCode) || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

func ambiguous(code int) bool {
	return code == http.StatusTooManyRequests || code == http.StatusBadGateway || code == http.StatusGatewayTimeout
}

func withContext(ctx context.Context, c *http.Client, body []byte) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	for i := 0; ; i++ {
		resp, err := c.Do(req) // want `sends the POST of c.Do again after any error`
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

// Silent: it may be another one.
func either(c *http.Client, body []byte, remove bool) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, endpoint, bytes.NewReader(body))
	if remove {
		req, err = http.NewRequest(http.MethodDelete, endpoint, nil)
	}
	if err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		resp, err := c.Do(req)
		if err == nil || i == 3 {
			return resp, err
		}
		time.Sleep(time.Second)
	}
}

// Silent: the server has refused it.
func throttled(c *http.Client, body []byte) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := c.Post(endpoint, "application/json", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable || i == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
