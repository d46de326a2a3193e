package post

import (
	"bytes"
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
