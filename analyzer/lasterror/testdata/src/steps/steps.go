// Package steps has attempts of two steps, of which either may fail.
package steps

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

type client struct {
	http   *http.Client
	again  func(resp *http.Response, err error) bool
	handle func(*http.Response) error
	max    int
}

// What the second step failed with is replaced when another attempt begins: it is
// not lost when the first step of that one answers something that nobody explains.
func (c *client) chosen(ctx context.Context, req *http.Request) (*http.Response, error) {
	var resp *http.Response
	var doErr, handleErr error
	for i := 0; ; i++ {
		doErr, handleErr = nil, nil
		resp, doErr = c.http.Do(req)
		again := c.again(resp, doErr)
		if !again && doErr == nil && c.handle != nil {
			handleErr = c.handle(resp)
			again = c.again(resp, handleErr)
		}
		if !again || i == c.max {
			break
		}
		if doErr == nil {
			resp.Body.Close()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	err := doErr
	if handleErr != nil {
		err = handleErr
	}
	if err == nil {
		return nil, fmt.Errorf("giving up after %d attempts", c.max+1)
	}
	return nil, fmt.Errorf("giving up after %d attempts: %w", c.max+1, err)
}

func (c *client) dropped(ctx context.Context, req *http.Request) (*http.Response, error) {
	for i := 0; i <= c.max; i++ {
		resp, err := c.http.Do(req)
		if err == nil {
			err = c.handle(resp)
		}
		if err == nil {
			return resp, nil
		}
		if !c.again(resp, err) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil, fmt.Errorf("giving up after %d attempts", c.max+1) // want `gives up without the last error from c.handle, so nobody learns what failed`
}
