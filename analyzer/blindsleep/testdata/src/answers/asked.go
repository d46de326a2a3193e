package answers

import (
	"context"
	"time"
)

// What asks is a literal that tells nothing but whether it went well.
func flushed(ctx context.Context, url string) {
	done := func() bool {
		a, err := fetch(ctx, url)
		if err != nil {
			return false
		}
		return a.sum == a.want
	}
	for !done() {
		time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying done`
	}
}

// A literal that stays here waits for nothing that can fail.
func counted(ctx context.Context, n *int) {
	done := func() bool { return *n > 3 }
	for !done() {
		time.Sleep(time.Second)
	}
}

func query[T any](ctx context.Context, url string) (t T, err error) {
	_, err = fetch(ctx, url)
	return t, err
}

func pair[K comparable, V any](ctx context.Context, url string) (m map[K]V, err error) {
	_, err = fetch(ctx, url)
	return m, err
}

// A function with type arguments has its name.
func generic(ctx context.Context, url string) (err error) {
	for range 3 {
		if _, err = query[map[string]any](ctx, url); err == nil {
			break
		}
		time.Sleep(time.Second) // want `before retrying query, so`
	}
	for range 3 {
		if _, err = pair[string, int](ctx, url); err == nil {
			break
		}
		time.Sleep(time.Second) // want `before retrying pair, so`
	}
	return err
}
