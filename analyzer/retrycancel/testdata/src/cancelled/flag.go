package cancelled

import (
	"context"
	"errors"
	"time"
)

// The end of the context clears the flag of the loop; after the last attempt
// there is no wait.
func flag(ctx context.Context, s store, n int) (err error) {
	goOn := true
	for attempt := 0; attempt < n && goOn; attempt++ {
		if err = s.Put(ctx, "k"); err == nil {
			return nil
		}
		if attempt+1 < n {
			select {
			case <-ctx.Done():
				goOn = false
			case <-time.After(time.Second):
			}
		}
	}
	return err
}

// Here the counter is asked for something else.
func otherBound(ctx context.Context, s store, n int) (err error) {
	goOn := true
	for attempt := 0; attempt < n && goOn; attempt++ { // want `retries s.Put even when ctx has ended`
		if err = s.Put(ctx, "k"); err == nil {
			return nil
		}
		if attempt+1 < 3 {
			select {
			case <-ctx.Done():
				goOn = false
			case <-time.After(time.Second):
			}
		}
	}
	return err
}

var errStale = errors.New("stale")

func isStale(err error, key string) bool { return key != "" && errors.Is(err, errStale) }

type client struct{ store store }

// try says beside the error whether it is worth another attempt.
func (c *client) try(ctx context.Context) (bool, error) {
	err := c.store.Put(ctx, "k")
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded), err
}

// Past the answer of the attempt it goes on only for an error that a predicate
// knows.
func (c *client) process(ctx context.Context, key string) (err error) {
	again := false
	for attempt := 0; attempt < 3; attempt++ {
		retry, err := c.try(ctx)
		if err != nil && !retry && !again && isStale(err, key) {
			again = true
			continue
		}
		if err == nil || !retry {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// The predicate only says how long to wait.
func (c *client) slower(ctx context.Context, key string) (err error) {
	for attempt := 0; attempt < 3; attempt++ { // want `retries store.Put even when ctx has ended`
		if err = c.store.Put(ctx, key); err == nil {
			return nil
		}
		if isStale(err, key) {
			time.Sleep(time.Minute)
		}
	}
	return err
}
