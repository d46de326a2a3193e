// Package backoff has the signatures of github.com/cenkalti/backoff/v5.
package backoff

import (
	"context"
	"time"
)

type BackOff interface {
	NextBackOff() time.Duration
	Reset()
}

type Operation[T any] func() (T, error)

type Notify func(error, time.Duration)

type RetryOption func(*retryOptions)

type retryOptions struct{}

type ExponentialBackOff struct {
	InitialInterval     time.Duration
	RandomizationFactor float64
	Multiplier          float64
	MaxInterval         time.Duration
}

func (b *ExponentialBackOff) NextBackOff() time.Duration { return 0 }
func (b *ExponentialBackOff) Reset()                     {}

type ConstantBackOff struct{ Interval time.Duration }

func (b *ConstantBackOff) NextBackOff() time.Duration { return 0 }
func (b *ConstantBackOff) Reset()                     {}

func NewExponentialBackOff() *ExponentialBackOff          { return nil }
func NewConstantBackOff(d time.Duration) *ConstantBackOff { return nil }
func WithBackOff(b BackOff) RetryOption                   { return nil }
func WithNotify(n Notify) RetryOption                     { return nil }
func WithMaxTries(n uint) RetryOption                     { return nil }
func WithMaxElapsedTime(d time.Duration) RetryOption      { return nil }
func Permanent(err error) error                           { return nil }
func RetryAfter(seconds int) error                        { return nil }

func Retry[T any](ctx context.Context, operation Operation[T], opts ...RetryOption) (T, error) {
	return operation()
}
