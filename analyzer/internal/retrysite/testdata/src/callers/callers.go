package callers

import (
	"context"

	"retriers"
)

func Outer(ctx context.Context, op func() error) error { // want Outer:`retrier\(closure=1, attempts=3`
	return retriers.Do(ctx, func(context.Context) error { return op() })
}
