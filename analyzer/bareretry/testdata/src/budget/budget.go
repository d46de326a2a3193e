// Package budget has what a client is told by its caller to wait with.
package budget

import (
	"context"
	"errors"
)

type Backoffer struct{ Left int }

func (b *Backoffer) Context() context.Context { return context.Background() }

func (b *Backoffer) Backoff(err error) error {
	if b.Left--; b.Left < 0 || errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func EvalFailpoint(ctx context.Context, name string) (any, error) {
	return nil, errors.New("failpoints are off")
}
