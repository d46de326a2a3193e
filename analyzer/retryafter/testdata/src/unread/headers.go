package unread

import (
	"errors"
	"net/http"
	"time"
)

func send(c *http.Client, url string, h http.Header) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	copyHeader(req.Header, h)
	return c.Do(req)
}

func copyHeader(to, from http.Header) {
	for name, values := range from {
		to[name] = values
	}
}

// The header that it is given is the request's.
func given(c *http.Client, url string, headers http.Header) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := send(c, url, headers) // want `retries send after a 429 without reading Retry-After`
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errors.New("gave up")
}

// Silent: who is handed the response's may read it.
func handed(c *http.Client, url string, headers http.Header, wait func(http.Header)) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := send(c, url, headers)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait(resp.Header)
	}
	return nil, errors.New("gave up")
}
