package answers

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// One status after the other is asked for.
func inTurn(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	for i := 0; i < 5; i++ {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusTooManyRequests {
			time.Sleep(2 * time.Second) // want `waits 2s with time.Sleep before retrying c.Do`
			continue
		}
		if resp.StatusCode >= 500 {
			time.Sleep(time.Second)
			continue
		}
		return resp, nil
	}
	return nil, errors.New("too many attempts")
}

// The cases of a switch ask for a status each.
func inCases(ctx context.Context, c *http.Client, req *http.Request, limit int) (resp *http.Response, err error) {
again:
	for i := 0; ; i++ {
		resp, err = c.Do(req)
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case http.StatusTooManyRequests, http.StatusBadGateway:
		default:
			break again
		}
		if i >= limit {
			break
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying c.Do`
	}
	return resp, nil
}

type answer struct{ sum, want int }

var errSum = errors.New("wrong checksum")

func fetch(ctx context.Context, url string) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return a, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	return a, resp.Body.Close()
}

// What is answered is a failure too when it is not what was asked for.
func summed(ctx context.Context, url string) (a answer, err error) {
	for i := 0; i < 5; i++ {
		a, err = fetch(ctx, url)
		if err == nil && a.sum == a.want {
			return a, nil
		}
		if a.sum != a.want {
			err = errSum
		}
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying fetch`
	}
	return a, err
}

// A redirect gives a new address, and a failure keeps the old one.
func redirected(url string) (*http.Response, error) {
	for i := 0; i < 5; i++ {
		resp, err := http.Get(url)
		if err != nil {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying http.Get`
			continue
		}
		if resp.StatusCode == http.StatusTemporaryRedirect {
			url = resp.Header.Get("Location")
			continue
		}
		return resp, nil
	}
	return nil, errors.New("too many attempts")
}

// An error is waited out one way, a status another.
func twoWays(ctx context.Context, c *http.Client, url string) error {
	var last error
	for i := 0; i < 5; i++ {
		resp, err := c.Get(url)
		if err != nil {
			last = err
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
			}
			continue
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			last = errors.New(resp.Status)
			time.Sleep(time.Second << i) // want `waits with time.Sleep before retrying c.Get`
			continue
		}
		return nil
	}
	return last
}

// Both can be interrupted.
func bothSelect(ctx context.Context, c *http.Client, url string) error {
	for i := 0; i < 5; i++ {
		resp, err := c.Get(url)
		wait := time.Second
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusServiceUnavailable {
				return nil
			}
			wait = time.Second << i
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
	return errors.New("too many attempts")
}
