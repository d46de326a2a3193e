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

// The loop is left with break, and what the server fails at comes back as well.
func broken(c *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; ; i++ {
		resp, err = c.Do(req) // want `retries c.Do after a 429 without reading Retry-After`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			break
		}
		if i >= n {
			break
		}
		time.Sleep(time.Second)
	}
	return resp, nil
}

func named(c *http.Client, req *http.Request, n int) (resp *http.Response, err error) {
	for i := 0; i <= n; i++ {
		resp, err = c.Do(req) // want `retries c.Do after a 429 without reading Retry-After`
		if err != nil || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 {
			if err == nil {
				err = errGaveUp
			}
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}
