package unread

import (
	"errors"
	"net/http"
	"time"
)

var errGaveUp = errors.New("gave up")

func throttled(c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := c.Do(req) // want `retries c.Do after a 429 without reading Retry-After, which spends the quota it waits for; wait the longer of the header and the backoff, up to a cap`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}
