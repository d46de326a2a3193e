// Package retry has the signatures of github.com/flowchartsman/retry.
package retry

import (
	"context"
	"time"
)

type Retrier struct{}

func NewRetrier(maxTries int, initialDelay, maxDelay time.Duration) *Retrier { return nil }
func (r *Retrier) Run(funcToRetry func() error) error                        { return nil }
func (r *Retrier) RunContext(ctx context.Context, funcToRetry func(context.Context) error) error {
	return nil
}
func Stop(err error) error { return err }
