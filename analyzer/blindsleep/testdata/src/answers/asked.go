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
