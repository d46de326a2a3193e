// Package uncapped waits for as long as the server asks, whatever that is.
package uncapped

import (
	"context"
	"errors"
	"log"
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

func bothForms(c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait := time.Second
		value := resp.Header.Get("Retry-After")
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			wait = time.Duration(n) * time.Second
		} else if at, err := http.ParseTime(value); err == nil {
			wait = time.Until(at)
		}
		log.Printf("waiting %s", wait)
		time.Sleep(wait) // want `waits for as long as Retry-After says, without a cap, so that one answer can stop this for a day; cap it: min\(wait, time.Minute\)`
	}
	return nil, errGaveUp
}

func asked(resp *http.Response, otherwise time.Duration) time.Duration {
	value := resp.Header.Get("Retry-After")
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(time.Now())
	}
	return otherwise
}

func byHelper(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusServiceUnavailable {
			return resp, nil
		}
		resp.Body.Close()
		select { // want `waits for as long as Retry-After says, without a cap`
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(asked(resp, time.Second)):
		}
	}
	return nil, errGaveUp
}

func parse(value string) (time.Duration, bool) {
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return time.Until(at), err == nil
}

// The longer of both is no cap.
func theLonger(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	backoff := time.Second
	for range 3 {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		wait := backoff
		if d, ok := parse(resp.Header.Get("Retry-After")); ok && d > wait {
			wait = d
		}
		timer := time.NewTimer(wait)
		select { // want `waits for as long as Retry-After says, without a cap`
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
		backoff *= 2
	}
	return nil, errGaveUp
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func bySleeper(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
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
		if !ok || wait < time.Second {
			wait = time.Second
		}
		if err := sleep(ctx, wait); err != nil { // want `waits for as long as Retry-After says, without a cap`
			return nil, err
		}
	}
	return nil, errGaveUp
}

func (c *client) pause(resp *http.Response) {
	d, ok := parse(resp.Header.Get("Retry-After"))
	if !ok {
		d = time.Second
	}
	time.Sleep(d)
}

func inHelper(c *client, req *http.Request) (*http.Response, error) {
	for range 3 {
		resp, err := c.http.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		c.pause(resp) // want `waits for as long as Retry-After says, without a cap`
	}
	return nil, errGaveUp
}
