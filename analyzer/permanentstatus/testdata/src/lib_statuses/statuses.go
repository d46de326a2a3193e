// Package lib_statuses lets a library retry.
package lib_statuses

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	sethvargo "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
)

func all(ctx context.Context, c *http.Client, req *http.Request) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		return nil
	}, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
}

func butOne(ctx context.Context, c *http.Client, req *http.Request) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusOK:
			return nil
		case http.StatusNotFound:
			return backoff.Permanent(errors.New("not there"))
		}
		return fmt.Errorf("status %d", resp.StatusCode)
	}, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
}

func ofServers(ctx context.Context, c *http.Client, req *http.Request) error {
	return backoff.Retry(func() error {
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		if resp.StatusCode != http.StatusOK {
			return backoff.Permanent(errors.New(resp.Status))
		}
		return nil
	}, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
}

// The library is told which.
func told(ctx context.Context, c *http.Client, req *http.Request, again func(error) bool) error {
	return retry.Do(func() error {
		resp, err := c.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		return nil
	}, retry.Context(ctx), retry.RetryIf(again))
}

// Only what is marked comes back.
func marked(ctx context.Context, c *http.Client, req *http.Request, b sethvargo.Backoff) error {
	return sethvargo.Do(ctx, b, func(ctx context.Context) error {
		resp, err := c.Do(req)
		if err != nil {
			return sethvargo.RetryableError(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		return nil
	})
}

type apiError struct{ StatusCode int }

func (e *apiError) Error() string { return fmt.Sprintf("status %d", e.StatusCode) }

func call(c *http.Client, req *http.Request) error {
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return &apiError{resp.StatusCode}
	}
	return nil
}

func transient(err error) bool {
	var api *apiError
	return errors.As(err, &api) && api.StatusCode >= 500
}

// A condition ends with an error, and is asked again where it is false.
func condition(ctx context.Context, c *http.Client, req *http.Request) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 4}, func() (bool, error) {
		err := call(c, req)
		if transient(err) {
			return false, nil
		}
		return true, err
	})
}

func conditionOfAll(ctx context.Context, c *http.Client, req *http.Request) error {
	return wait.ExponentialBackoff(wait.Backoff{Steps: 4}, func() (bool, error) {
		resp, err := c.Do(req) // want `retries c.Do even after a 400 or a 422`
		if err != nil {
			return false, nil
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return false, nil
		}
		return true, nil
	})
}
