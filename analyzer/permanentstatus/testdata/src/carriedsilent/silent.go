// Package carriedsilent retries what may come right, or does not say what.
package carriedsilent

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var errGaveUp = errors.New("gave up")

type apiError struct{ StatusCode int }

func (e *apiError) Error() string { return fmt.Sprintf("status %d", e.StatusCode) }

type client struct{ http *http.Client }

func (c *client) call(req *http.Request) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return &apiError{resp.StatusCode}
	}
	return nil
}

func onlyOfServers(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil {
			return nil
		}
		var api *apiError
		if errors.As(err, &api) && api.StatusCode < 500 {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func onlyThrottled(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil {
			return nil
		}
		switch e := err.(type) {
		case *apiError:
			if e.StatusCode != http.StatusTooManyRequests {
				return err
			}
		default:
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Nothing asks for the status: another check's business.
func all(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type page struct {
	*http.Response
	next string
	done bool
}

func (c *client) page(url string) (*page, error) {
	resp, err := c.http.Get(url)
	if err != nil {
		return nil, err
	}
	return &page{Response: resp}, nil
}

// The status of a page is not looked at: its client makes an error of it.
func pages(c *client, url string) error {
	failures := 0
	for {
		p, err := c.page(url)
		if err != nil {
			if failures++; failures > 3 {
				return err
			}
			time.Sleep(time.Second)
			continue
		}
		if p.done {
			return nil
		}
	}
}

// The error comes with a response, and is what is looked at.
func withBoth(c *client, url string) (*page, error) {
	for range 3 {
		p, err := c.page(url)
		if err == nil {
			return p, nil
		}
		if p == nil || p.StatusCode < 500 {
			return nil, err
		}
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}

// These are retried by intent.
func byIntent(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case 404, 409, 410, 503:
		default:
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, errGaveUp
}
