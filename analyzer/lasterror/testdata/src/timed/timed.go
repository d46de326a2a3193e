// Package timed has loops that a timer ends.
package timed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

func dial(addr string, timeout time.Duration) (net.Conn, error) {
	ticker := time.Tick(time.Second)
	alert := time.After(timeout)
	for {
		select {
		case <-alert:
			return nil, errors.New("no connection") // want `gives up without the last error from net.Dial, so nobody learns what failed; wrap it with %w`
		case <-ticker:
			if conn, err := net.Dial("tcp", addr); err == nil {
				return conn, nil
			}
		}
	}
}

func get(client *http.Client, url string, timeout, interval time.Duration, stop chan struct{}) (*http.Response, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		resp, err := client.Get(url)
		if err == nil {
			return resp, nil
		}
		select {
		case <-stop:
			return nil, errors.New("stopped")
		case <-timer.C:
			return nil, fmt.Errorf("not up after %s: %v", timeout, err) // want `as text only`
		case <-time.After(interval):
		}
	}
}

// The last error is kept.
func kept(ctx context.Context, client *http.Client, url string, timeout time.Duration) (*http.Response, error) {
	alert := time.After(timeout)
	var last error
	for {
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), last)
		case <-alert:
			return nil, fmt.Errorf("not up after %s: %w", timeout, last)
		case <-time.After(time.Second):
			resp, err := client.Get(url)
			if err == nil {
				return resp, nil
			}
			last = err
		}
	}
}

// The timer is one attempt's own: what it ends is not the retry.
func each(client *http.Client, url string, answers chan *http.Response) (*http.Response, error) {
	for {
		resp, err := client.Get(url)
		if err == nil {
			return resp, nil
		}
		select {
		case resp := <-answers:
			return resp, nil
		case <-time.After(time.Second):
		}
	}
}

var errNotYet, errTimeout = errors.New("not yet"), errors.New("timed out")

// That it is not there yet is all that a timeout can mean.
func named(client *http.Client, url string, ask func(*http.Client, string) error, timeout time.Duration) error {
	alert := time.After(timeout)
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		err := ask(client, url)
		if err == nil || !errors.Is(err, errNotYet) {
			return err
		}
		select {
		case <-alert:
			return errors.New("it did not come up")
		case <-ticker.C:
		}
	}
}

// The package has an error for it.
func sentinel(client *http.Client, url string, timeout time.Duration) (*http.Response, error) {
	alert := time.After(timeout)
	for {
		resp, err := client.Get(url)
		if err == nil {
			return resp, nil
		}
		select {
		case <-alert:
			return nil, errTimeout
		case <-time.After(time.Second):
		}
	}
}
