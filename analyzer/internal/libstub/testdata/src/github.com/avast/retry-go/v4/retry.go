// Package retry has the signatures of github.com/avast/retry-go/v4.
package retry

import (
	"context"
	"time"
)

type Config struct{}

type Option func(*Config)

type RetryableFunc func() error

type RetryIfFunc func(error) bool

type OnRetryFunc func(n uint, err error)

type DelayTypeFunc func(n uint, err error, config *Config) time.Duration

func Do(retryableFunc RetryableFunc, opts ...Option) error       { return nil }
func Attempts(attempts uint) Option                              { return nil }
func Delay(delay time.Duration) Option                           { return nil }
func MaxDelay(maxDelay time.Duration) Option                     { return nil }
func MaxJitter(maxJitter time.Duration) Option                   { return nil }
func DelayType(delayType DelayTypeFunc) Option                   { return nil }
func RetryIf(retryIf RetryIfFunc) Option                         { return nil }
func OnRetry(onRetry OnRetryFunc) Option                         { return nil }
func LastErrorOnly(lastErrorOnly bool) Option                    { return nil }
func Context(ctx context.Context) Option                         { return nil }
func Unrecoverable(err error) error                              { return err }
func IsRecoverable(err error) bool                               { return false }
func BackOffDelay(n uint, _ error, config *Config) time.Duration { return 0 }
func FixedDelay(_ uint, _ error, config *Config) time.Duration   { return 0 }
func RandomDelay(_ uint, _ error, config *Config) time.Duration  { return 0 }
func CombineDelay(delays ...DelayTypeFunc) DelayTypeFunc         { return nil }

type RetryableFuncWithData[T any] func() (T, error)

func DoWithData[T any](retryableFunc RetryableFuncWithData[T], opts ...Option) (T, error) {
	return retryableFunc()
}
func UntilSucceeded() Option                                                 { return nil }
func FullJitterBackoffDelay(n uint, err error, config *Config) time.Duration { return 0 }
