package statuses

import (
	"net/http"
	"time"
)

// What leads to another round is looked at where it begins.
func lookedAtLater(c *http.Client, req *http.Request) (*http.Response, error) {
	resp, err := c.Do(req)
	for range 5 {
		if err == nil && resp.StatusCode < 400 {
			return resp, nil
		}
		if err == nil {
			resp.Body.Close()
		}
		time.Sleep(time.Second)
		resp, err = c.Do(req) // want `retries c.Do even after a 400`
	}
	return resp, err
}
