// Package lib_open leaves the repeating to a library.
package lib_open

import (
	"errors"
	"net/http"

	"github.com/cenkalti/backoff/v4"
)

var errStatus = errors.New("unexpected status")

func fetch(c *http.Client, req *http.Request, use func(int) error) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req) // want `resp stays open when c.Do is repeated`
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return errStatus
		}
		defer resp.Body.Close()
		return use(resp.StatusCode)
	}, backoff.NewExponentialBackOff())
}

// What is left open is not followed by another attempt.
func permanent(c *http.Client, req *http.Request) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return backoff.Permanent(errStatus)
		}
		return resp.Body.Close()
	}, backoff.NewExponentialBackOff())
}

// Somebody else has it.
func checked(c *http.Client, req *http.Request, check func(*http.Response) error) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		if err := check(resp); err != nil {
			return err
		}
		return resp.Body.Close()
	}, backoff.NewExponentialBackOff())
}
