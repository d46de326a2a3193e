// Package literal hands responses to functions that stand in variables.
package literal

import (
	"net/http"
	"strconv"
	"time"
)

func looks(c *http.Client, url string) (resp *http.Response, err error) {
	delay := time.Second
	next := func(resp *http.Response) time.Duration {
		n, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil {
			return delay
		}
		return time.Duration(n) * time.Second
	}
	for n := 0; n < 5; n++ {
		resp, err = c.Get(url) // want `resp stays open when c.Get is repeated`
		if err == nil && resp.StatusCode == http.StatusTooManyRequests {
			time.Sleep(next(resp))
			continue
		}
		break
	}
	return resp, err
}

func closes(c *http.Client, url string) (resp *http.Response, err error) {
	wait := func(resp *http.Response) {
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	for n := 0; n < 5; n++ {
		resp, err = c.Get(url)
		if err == nil && resp.StatusCode == http.StatusTooManyRequests {
			wait(resp)
			continue
		}
		break
	}
	return resp, err
}

type policy interface {
	retry(resp *http.Response, err error) (time.Duration, bool)
}

type cleaner interface {
	clean(resp *http.Response) error
}

func judged(c *http.Client, p policy, url string) (*http.Response, error) {
	for {
		resp, err := c.Get(url) // want `resp stays open when c.Get is repeated`
		if err == nil && resp.StatusCode < http.StatusInternalServerError {
			return resp, nil
		}
		wait, retry := p.retry(resp, err)
		if !retry {
			return resp, err
		}
		time.Sleep(wait)
	}
}

func cleaned(c *http.Client, p cleaner, url string) (*http.Response, error) {
	for {
		resp, err := c.Get(url)
		if err == nil && resp.StatusCode < http.StatusInternalServerError {
			return resp, nil
		}
		if err := p.clean(resp); err != nil {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}
