// Package capped waits no longer than it means to, whatever the server asks.
package capped

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"
)

var errGaveUp = errors.New("gave up")

const longest = time.Minute

type client struct {
	http *http.Client
	max  time.Duration
}

func parse(value string) (time.Duration, bool) {
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return time.Until(at), err == nil
}

func byMin(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, ok := parse(resp.Header.Get("Retry-After"))
		if !ok {
			wait = time.Second
		}
		time.Sleep(min(wait, longest))
	}
	return nil, errGaveUp
}

func byComparison(c *client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.http.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		if wait > c.max {
			wait = c.max
		}
		time.Sleep(wait)
	}
	return nil, errGaveUp
}

// Nobody waits for what is too long.
func byLeaving(c *client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.http.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		wait, ok := parse(resp.Header.Get("Retry-After"))
		if !ok || wait > longest {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(wait)
	}
	return nil, errGaveUp
}

// The deadline comes first.
func byDeadline(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		if deadline, ok := ctx.Deadline(); ok && time.Now().Add(wait).After(deadline) {
			return nil, errGaveUp
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
	return nil, errGaveUp
}

// A context with a timeout of its own ends the wait.
func byTimeout(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req = req.WithContext(ctx)
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
	return nil, errGaveUp
}

func limited(d time.Duration) time.Duration {
	return time.Duration(math.Min(float64(d), float64(longest)))
}

func byFunction(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		time.Sleep(limited(wait))
	}
	return nil, errGaveUp
}

func sleep(d time.Duration) {
	if d > longest {
		d = longest
	}
	time.Sleep(d)
}

func bySleeper(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		sleep(wait)
	}
	return nil, errGaveUp
}

// What becomes of a value that is handed out is not known.
func handedOut(c *http.Client, req *http.Request, judge func(time.Duration) time.Duration) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait, _ := parse(resp.Header.Get("Retry-After"))
		wait = judge(wait)
		time.Sleep(wait)
	}
	return nil, errGaveUp
}
