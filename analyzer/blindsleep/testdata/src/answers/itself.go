package answers

import (
	"context"
	"time"
)

// A literal that calls itself, waits and asks a server is followed once.
func walk(ctx context.Context, url string, depth int) (err error) {
	var visit func(depth int) error
	visit = func(depth int) error {
		if depth == 0 {
			return nil
		}
		if _, err := fetch(ctx, url); err != nil {
			return err
		}
		time.Sleep(time.Second)
		return visit(depth - 1)
	}
	for range 3 {
		if err = visit(depth); err == nil { // want `waits before retrying visit`
			return nil
		}
	}
	return err
}

// Two of them that call each other, and functions that do, are too.
func both(ctx context.Context, url string) error {
	var odd, even func(n int) error
	odd = func(n int) error {
		_, err := fetch(ctx, url)
		time.Sleep(time.Second)
		if err != nil && n > 0 {
			return even(n - 1)
		}
		return err
	}
	even = func(n int) error {
		_, err := fetch(ctx, url)
		time.Sleep(time.Second)
		if err != nil && n > 0 {
			return odd(n - 1)
		}
		return err
	}
	return odd(3)
}
