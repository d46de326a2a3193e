package loops

import (
	"context"
	"time"
)

type attempt struct {
	Number int
	Last   error
}

// What the attempt is told says which one it is, and what came of the last.
func told(ctx context.Context, n int, fn func(context.Context, *attempt) error) (err error) {
	for i := 0; i <= n; i++ {
		if i > 0 {
			time.Sleep(time.Second) // want `waits 1s with time.Sleep before retrying fn, so a cancelled ctx still waits it out`
		}
		at := attempt{Number: i, Last: err}
		if err = fn(ctx, &at); err == nil {
			return nil
		}
	}
	return err
}

type page struct {
	Number int
	Order  string
	Last   error
}

// The number is that of the page.
func pages(ctx context.Context, n int, fn func(context.Context, *page) error) (err error) {
	for i := 0; i <= n; i++ {
		time.Sleep(time.Second)
		at := page{Number: i, Order: "asc", Last: err}
		if err = fn(ctx, &at); err == nil {
			return nil
		}
	}
	return err
}
