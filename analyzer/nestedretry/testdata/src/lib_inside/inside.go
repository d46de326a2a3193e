// Package lib_inside has a retry directly in what is retried.
package lib_inside

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func libraryInLibrary(ctx context.Context, url string) error {
	return retry.Do(func() error {
		return backoff.Retry(func() error { return get(ctx, url) }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3)) // want `what is retried here retries by itself, so that attempts multiply: 5 x 4 = 20 attempts: backoff.Retry -> get`
	}, retry.Attempts(5), retry.Context(ctx))
}

func libraryInLoop(ctx context.Context, url string) (err error) {
	for i := 0; i < 3; i++ {
		err = backoff.Retry(func() error { return get(ctx, url) }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3)) // want `3 x 4 = 12 attempts`
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func loopInLibrary(ctx context.Context, url string) error {
	return retry.Do(func() error {
		var err error
		for i := 0; i < 3; i++ {
			if err = get(ctx, url); err == nil { // want `5 x 3 = 15 attempts: get`
				return nil
			}
			time.Sleep(time.Second)
		}
		return err
	}, retry.Attempts(5), retry.Context(ctx))
}

// One after the other.
func inTurn(ctx context.Context, url string) error {
	if err := retry.Do(func() error { return get(ctx, url) }, retry.Attempts(5)); err != nil {
		return err
	}
	return backoff.Retry(func() error { return get(ctx, url) }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 3))
}

// What is tried several times does not leave the process.
func local(ctx context.Context, open func(string) error, url string) error {
	n := 0
	return retry.Do(func() error {
		for i := 0; i < 3; i++ {
			n += i
		}
		return get(ctx, url)
	}, retry.Attempts(5), retry.Context(ctx))
}
