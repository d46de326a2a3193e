package unread

import (
	"errors"
	"net/http"
	"time"
)

func once(c *http.Client, url string) (retry bool, err error) {
	resp, err := c.Get(url)
	if err != nil {
		return false, err
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusTooManyRequests, nil
}

func told(c *http.Client, url string) error {
	for range 5 {
		retry, err := once(c, url) // want `retries once after a 429 without reading Retry-After`
		if !retry {
			return err
		}
		time.Sleep(time.Second)
	}
	return errors.New("too many attempts")
}

// The range of what goes wrong there, and the one status that is named beside it.
func ranged(c *http.Client, url string) (resp *http.Response, err error) {
	for range 5 {
		if resp, err = c.Get(url); err != nil { // want `retries c.Get after a 429 without reading Retry-After`
			return nil, err
		}
		if (resp.StatusCode < 500 || resp.StatusCode >= 600) && resp.StatusCode != http.StatusTooManyRequests {
			break
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return resp, nil
}
