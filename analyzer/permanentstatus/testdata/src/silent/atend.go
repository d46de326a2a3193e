package silent

import (
	"errors"
	"net/http"
	"syscall"
)

// The answer is looked at where the next round begins.
func stale(c *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := c.Do(req)
	for range 5 {
		if err == nil || !errors.Is(err, syscall.EPIPE) || req.GetBody == nil {
			return resp, err
		}
		if req.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
		resp, err = c.Do(req)
	}
	return resp, err
}
