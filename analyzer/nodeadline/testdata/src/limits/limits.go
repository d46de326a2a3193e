// Package limits runs what it is given for a limited time.
package limits

import (
	"context"
	"time"
)

func WithTimeout(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return f(ctx)
}
