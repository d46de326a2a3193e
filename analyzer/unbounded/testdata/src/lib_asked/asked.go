package lib_asked

import (
	"context"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// A policy without an end never says stop.
func endless(url string) (*http.Response, error) {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	for { // want `retries http.Get for as long as it fails`
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := b.NextBackOff()
		if d == backoff.Stop {
			return nil, err
		}
		time.Sleep(d)
	}
}

// Silent: it ends after a quarter of an hour.
func elapsed(url string) (*http.Response, error) {
	b := backoff.NewExponentialBackOff()
	for {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := b.NextBackOff()
		if d == backoff.Stop {
			return nil, err
		}
		time.Sleep(d)
	}
}

// Silent: it ends after some attempts.
func counted(url string) (*http.Response, error) {
	b := backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 4)
	for {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := b.NextBackOff()
		if d == backoff.Stop {
			return nil, err
		}
		time.Sleep(d)
	}
}

// Silent: it ends with the context.
func withContext(ctx context.Context, url string) (*http.Response, error) {
	b := backoff.WithContext(backoff.NewConstantBackOff(time.Second), ctx)
	for {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := b.NextBackOff()
		if d == backoff.Stop {
			return nil, err
		}
		time.Sleep(d)
	}
}

// Silent: nothing is known of its end.
func given(b backoff.BackOff, url string) (*http.Response, error) {
	for {
		resp, err := http.Get(url)
		if err == nil {
			return resp, nil
		}
		d := b.NextBackOff()
		if d == backoff.Stop {
			return nil, err
		}
		time.Sleep(d)
	}
}
