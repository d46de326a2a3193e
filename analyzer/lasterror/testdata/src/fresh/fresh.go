package fresh

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"
)

var errExhausted = errors.New("exhausted")

func newError(client *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("no answer after %d attempts", 3) // want `gives up without the last error from client.Do, so nobody learns what failed; wrap it with %w`
}

func sentinel(client *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errExhausted // want `gives up without the last error`
}

func loggedSentinel(client *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp, nil
		}
		log.Printf("attempt %d: %v", i, err)
		time.Sleep(time.Second)
	}
	return nil, errExhausted
}

func nothing(client *http.Client, req *http.Request) error {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return nil // want `returns nil when the attempts are used up, so that a failed client.Do looks like success; return the last error`
}

func bestEffort(client *http.Client, req *http.Request) error {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		log.Printf("ignored: %v", err)
		time.Sleep(time.Second)
	}
	return nil
}

func cancelled(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil // want `returns nil when the context ends, so that a failed call looks like success`
		}
	}
}

// promised calls until it works, and returns the last error that it saw.
func promised(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err() // want `promises the last error but returns the context's alone`
		case <-time.After(time.Second):
		}
	}
}

// plain gives the context's error, as is usual.
func plain(ctx context.Context, call func(context.Context) error) error {
	for {
		err := call(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func joined(ctx context.Context, call func(context.Context) error) error {
	var errs []error
	for i := 0; i < 5; i++ {
		err := call(ctx)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		time.Sleep(time.Second)
	}
	return errors.Join(errs...)
}

func overwritten(client *http.Client, req *http.Request, retries int) error {
	var err error
	for i := 0; ; i++ {
		if i > 0 && i > retries {
			err = fmt.Errorf("timeout after %d retries", i)
			break
		}
		var resp *http.Response
		resp, err = client.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err // want `gives up without the last error from client.Do`
}

type client struct {
	http *http.Client
	last error
}

func (c *client) kept(req *http.Request) error {
	for i := 0; i < 3; i++ {
		resp, err := c.http.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		c.last = err
		time.Sleep(time.Second)
	}
	return errExhausted
}

func reachable(client *http.Client, req *http.Request) bool {
	for i := 0; i < 3; i++ {
		resp, err := client.Do(req)
		if err == nil {
			resp.Body.Close()
			return true
		}
		time.Sleep(time.Second)
	}
	return false // want `gives up with false and no word of the last error from client.Do`
}

var errBusy, errGone = errors.New("busy"), errors.New("gone")

// The error is known to be errBusy: its place is taken by the package's own.
func translated(ctx context.Context, call func(context.Context) error, retries int) error {
	err := call(ctx)
	for i := 0; errors.Is(err, errBusy) && i < retries; i++ {
		time.Sleep(time.Second)
		err = call(ctx)
	}
	if errors.Is(err, errBusy) {
		return errGone
	}
	return err
}

type decorator struct {
	propagate bool
	name      string
}

// Who sets the option hears of it.
func (d *decorator) optional(client *http.Client, req *http.Request) error {
	_, err := client.Do(req)
	for i := 0; err != nil && i < 3; i++ {
		time.Sleep(time.Second)
		_, err = client.Do(req)
	}
	if err != nil {
		if d.propagate {
			return err
		}
	}
	return nil
}

func (d *decorator) unnamed(client *http.Client, req *http.Request) error {
	_, err := client.Do(req)
	for i := 0; err != nil && i < 3; i++ {
		time.Sleep(time.Second)
		_, err = client.Do(req)
	}
	if d.name != "" {
		return err
	}
	return nil // want `returns nil when the attempts are used up`
}

// One attempt more, with a new login.
func (d *decorator) again(client *http.Client, req *http.Request, login func() error) (*http.Response, error) {
	retried := false
	for {
		resp, err := client.Do(req)
		if err != nil {
			if !retried {
				retried = true
				if err := login(); err != nil {
					return nil, err
				}
				continue
			}
			return nil, fmt.Errorf("after a new login: %s", err.Error()) // want `as text only`
		}
		return resp, nil
	}
}
