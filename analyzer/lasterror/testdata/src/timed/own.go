package timed

import (
	"context"
	"errors"
	"net/http"
	"time"
)

func healthy(ctx context.Context, c *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/health", nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// The time that it gives itself is over, and what it failed with is gone.
func ownDeadline(ctx context.Context, c *http.Client, limit time.Duration) error {
	ctx2, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		select {
		case <-ctx2.Done():
			return ctx2.Err() // want `gives up at its own deadline with the context's error alone, so nobody learns what failed in healthy; join both with errors.Join`
		default:
		}
		if err := healthy(ctx2, c); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}

// Silent: the caller knows what it has ended.
func callersDeadline(ctx context.Context, c *http.Client) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		if err := healthy(ctx, c); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
}

var errCold = errors.New("not yet")

func ready(ctx context.Context, c *http.Client) error {
	if err := healthy(ctx, c); err != nil {
		return err
	}
	return errCold
}

// Silent: what came back until then is known.
func ownNamed(ctx context.Context, c *http.Client, limit time.Duration) error {
	ctx2, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		select {
		case <-ctx2.Done():
			return ctx2.Err()
		case <-time.After(time.Second):
			if err := ready(ctx2, c); err != nil {
				if errors.Is(err, errCold) {
					continue
				}
				return err
			}
			return nil
		}
	}
}

// Silent: both come back.
func ownJoined(ctx context.Context, c *http.Client, limit time.Duration) error {
	ctx2, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := healthy(ctx2, c)
		if err == nil {
			return nil
		}
		select {
		case <-ctx2.Done():
			return errors.Join(ctx2.Err(), err)
		case <-time.After(time.Second):
		}
	}
}

// Silent: it is one attempt's time.
func attemptsDeadline(ctx context.Context, c *http.Client) error {
	for {
		one, cancel := context.WithTimeout(ctx, time.Second)
		err := healthy(one, c)
		if err == nil {
			cancel()
			return nil
		}
		if one.Err() != nil {
			cancel()
			return one.Err()
		}
		cancel()
		time.Sleep(time.Second)
	}
}
