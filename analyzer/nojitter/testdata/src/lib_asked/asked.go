package lib_asked

import (
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v4"
)

func constant(url string) (resp *http.Response, err error) {
	b := backoff.NewConstantBackOff(time.Second)
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff()) // want `the wait before the next http.Get is the same number for every client`
	}
	return nil, err
}

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
		time.Sleep(d) // want `is the same number for every client`
	}
}

func factorOff(url string) (resp *http.Response, err error) {
	b := backoff.NewExponentialBackOff()
	b.RandomizationFactor = 0
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff()) // want `is growing but the same for every client`
	}
	return nil, err
}

// Silent: the library draws it at random.
func random(url string) (resp *http.Response, err error) {
	b := backoff.NewExponentialBackOff()
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff())
	}
	return nil, err
}

// Silent: nothing is known of how it was made.
func given(b backoff.BackOff, url string) (resp *http.Response, err error) {
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(b.NextBackOff())
	}
	return nil, err
}
