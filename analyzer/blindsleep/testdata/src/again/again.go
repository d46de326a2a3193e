// Package again has functions that call themselves once more by a literal.
package again

import (
	"context"
	"errors"
	"log"
	"net/http"
	"time"
)

var errNobody = errors.New("nobody answers")

type client struct {
	http  *http.Client
	pause time.Duration
}

func (c *client) refresh(path string, left int) (*http.Response, error) {
	again := func(err error) (*http.Response, error) {
		if left > 0 {
			log.Print("once more")
			time.Sleep(c.pause) // want `waits with time.Sleep before retrying http.Get`
			return c.refresh(path, left-1)
		}
		return nil, err
	}
	resp, err := c.http.Get(path)
	if err != nil {
		return again(err)
	}
	if resp.StatusCode == http.StatusServiceUnavailable {
		resp.Body.Close()
		return again(errNobody)
	}
	return resp, nil
}

// The wait ends with the context.
func (c *client) patient(ctx context.Context, path string, left int) (*http.Response, error) {
	again := func(err error) (*http.Response, error) {
		if left == 0 {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(c.pause):
		}
		return c.patient(ctx, path, left-1)
	}
	resp, err := c.http.Get(path)
	if err != nil {
		return again(err)
	}
	return resp, nil
}

// Each call asks for another thing.
func (c *client) walk(path string, left int) error {
	deeper := func(to string) error {
		time.Sleep(c.pause)
		return c.walk(to, left-1)
	}
	resp, err := c.http.Get(path)
	if err != nil {
		return deeper(path + "/index")
	}
	return resp.Body.Close()
}

// What the literal gives is looked at, and not handed on.
func (c *client) looked(path string, left int) error {
	again := func() error {
		time.Sleep(c.pause)
		return c.looked(path, left-1)
	}
	resp, err := c.http.Get(path)
	if err != nil {
		if other := again(); other != nil {
			return err
		}
		return nil
	}
	return resp.Body.Close()
}
