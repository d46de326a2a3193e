// Package carried is told of a 429 by an error of its own.
package carried

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

type apiError struct {
	StatusCode int
	RetryAfter time.Duration
}

func (e *apiError) Error() string { return fmt.Sprintf("status %d", e.StatusCode) }

type client struct{ http *http.Client }

func (c *client) call(req *http.Request) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return &apiError{StatusCode: resp.StatusCode}
	}
	return nil
}

func unread(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil { // want `retries c.call after a 429 without reading Retry-After`
			return nil
		}
		if api, ok := err.(*apiError); ok && api.StatusCode == http.StatusTooManyRequests {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return err
}

// The error says how long.
func told(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil {
			return nil
		}
		var api *apiError
		if !errors.As(err, &api) || api.StatusCode != http.StatusTooManyRequests {
			return err
		}
		time.Sleep(min(api.RetryAfter, time.Minute))
	}
	return err
}

func (c *client) reading(req *http.Request) error {
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if wait := resp.Header.Get("Retry-After"); wait == "1" {
		time.Sleep(time.Second)
	}
	if resp.StatusCode >= 300 {
		return &apiError{StatusCode: resp.StatusCode}
	}
	return nil
}

// What is retried reads it.
func inside(c *client, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.reading(req); err == nil {
			return nil
		}
		if api, ok := err.(*apiError); ok && api.StatusCode == http.StatusTooManyRequests {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return err
}

type caller interface{ call(*http.Request) error }

// What is behind an interface may read it.
func unseen(c caller, req *http.Request) error {
	var err error
	for range 3 {
		if err = c.call(req); err == nil {
			return nil
		}
		if api, ok := err.(*apiError); ok && api.StatusCode == http.StatusTooManyRequests {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return err
}
