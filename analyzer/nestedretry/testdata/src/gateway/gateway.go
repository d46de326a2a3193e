// Package gateway calls a server that may be restarting.
package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"
)

var ErrStale = errors.New("stale version")

// Fetch retries.
func Fetch(client *http.Client, url string) (err error) {
	for attempt := 0; attempt < 4; attempt++ {
		var resp *http.Response
		if resp, err = client.Get(url); err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}

// Load returns the error of a function that retries.
func Load(client *http.Client, url string) error {
	if err := Fetch(client, url); err != nil {
		return errors.Join(errors.New("load"), err)
	}
	return nil
}

// Warm retries, and keeps what comes of it to itself.
func Warm(client *http.Client, url string) error {
	if url == "" {
		return errors.New("no url")
	}
	_ = Fetch(client, url)
	return nil
}

// Once does not retry.
func Once(client *http.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Await waits until the server answers, for as long as ctx says.
func Await(ctx context.Context, client *http.Client, url string) error {
	for {
		resp, err := client.Get(url)
		if err == nil {
			return resp.Body.Close()
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(time.Second):
		}
	}
}
