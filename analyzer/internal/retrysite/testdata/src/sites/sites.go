package sites

import (
	"context"
	"net/http"

	"retriers"
)

func Outer(ctx context.Context, op func() error) error {
	return retriers.Do(ctx, func(context.Context) error { return op() })
}

func Get(ctx context.Context) error {
	return retriers.Do(ctx, func(ctx context.Context) error {
		_, err := http.Get("http://localhost")
		return err
	})
}
