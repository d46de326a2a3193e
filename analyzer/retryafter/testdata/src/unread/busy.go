package unread

import (
	"errors"
	"net/http"
	"time"
)

func fallsThrough(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url) // want `retries c.Get after a 429 without reading Retry-After`
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case http.StatusTooManyRequests:
			fallthrough
		case http.StatusBadGateway:
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errors.New("too many attempts")
}

func unavailable(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url) // want `retries c.Get after a 503 without reading Retry-After, which may ask again before the server is up; wait`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusServiceUnavailable && resp.StatusCode != http.StatusLocked {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errors.New("too many attempts")
}

// Silent: what falls through leaves.
func leaves(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		switch resp.StatusCode {
		case http.StatusTooManyRequests:
			fallthrough
		case http.StatusUnauthorized:
			return resp, nil
		}
		return resp, nil
	}
	return nil, errors.New("too many attempts")
}

// Silent: all that a server may have is retried, and none of it is meant.
func serverSide(c *http.Client, url string) (*http.Response, error) {
	for range 5 {
		resp, err := c.Get(url)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errors.New("too many attempts")
}
