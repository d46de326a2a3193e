// Package retry has the signatures of github.com/avast/retry-go/v5.
package retry

import (
	"context"
	"time"
)

type retrierCore struct{}

type Option func(*retrierCore)

type Retrier struct{}

type RetrierWithData[T any] struct{}

type RetryableFunc func() error

type RetryableFuncWithData[T any] func() (T, error)

type RetryIfFunc func(error) bool

type DelayContext interface{ Delay() time.Duration }

type DelayTypeFunc func(n uint, err error, config DelayContext) time.Duration

func New(opts ...Option) *Retrier                           { return nil }
func NewWithData[T any](opts ...Option) *RetrierWithData[T] { return nil }
func (r *Retrier) Do(retryableFunc RetryableFunc) error     { return nil }
func (r *RetrierWithData[T]) Do(retryableFunc RetryableFuncWithData[T]) (T, error) {
	return retryableFunc()
}
func Attempts(attempts uint) Option                                   { return nil }
func UntilSucceeded() Option                                          { return nil }
func Delay(delay time.Duration) Option                                { return nil }
func MaxDelay(maxDelay time.Duration) Option                          { return nil }
func DelayType(delayType DelayTypeFunc) Option                        { return nil }
func RetryIf(retryIf RetryIfFunc) Option                              { return nil }
func Context(ctx context.Context) Option                              { return nil }
func Unrecoverable(err error) error                                   { return err }
func FixedDelay(_ uint, _ error, config DelayContext) time.Duration   { return 0 }
func BackOffDelay(n uint, _ error, config DelayContext) time.Duration { return 0 }
