// Package without repeats what has no body.
package without

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

func once(c *http.Client, url string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPut, url, body)
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func onlyWithout(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body)
		if body == nil && resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

func leavesWith(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body)
		if err == nil || body != nil {
			break
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func always(c *http.Client, url string, body io.Reader) (resp *http.Response, err error) {
	for n := 0; n < 5; n++ {
		resp, err = once(c, url, body) // want `body is read to its end by the first attempt`
		if body != nil && resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			resp.Body.Close()
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

// The request is made in one place or the other.
func either(ctx context.Context, c *http.Client, url, form string) (*http.Response, error) {
	var req *http.Request
	var err error
	if form == "" {
		req, err = http.NewRequest(http.MethodGet, url, nil)
	} else {
		req, err = http.NewRequest(http.MethodPost, url, strings.NewReader(form))
	}
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	for {
		resp, err := c.Do(req) // want `the body of req is spent after the first attempt`
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			return resp, err
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

func neither(ctx context.Context, c *http.Client, url string, head bool) (*http.Response, error) {
	var req *http.Request
	var err error
	if head {
		req, err = http.NewRequest(http.MethodHead, url, nil)
	} else {
		req, err = http.NewRequest(http.MethodGet, url, nil)
	}
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	for {
		resp, err := c.Do(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			return resp, err
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
