// Package backoff has the signatures of gopkg.in/cenkalti/backoff.v1.
package backoff

import (
	"context"
	"time"
)

type BackOff interface {
	NextBackOff() time.Duration
	Reset()
}

type BackOffContext interface {
	BackOff
	Context() context.Context
}

const Stop time.Duration = -1

type Operation func() error

type Notify func(error, time.Duration)

type Timer interface {
	Start(duration time.Duration)
	Stop()
	C() <-chan time.Time
}

type ExponentialBackOff struct {
	InitialInterval     time.Duration
	RandomizationFactor float64
	Multiplier          float64
	MaxInterval         time.Duration
	MaxElapsedTime      time.Duration
}

func (b *ExponentialBackOff) NextBackOff() time.Duration { return 0 }
func (b *ExponentialBackOff) Reset()                     {}

type ConstantBackOff struct{ Interval time.Duration }

func (b *ConstantBackOff) NextBackOff() time.Duration { return 0 }
func (b *ConstantBackOff) Reset()                     {}

type ZeroBackOff struct{}

func (b *ZeroBackOff) NextBackOff() time.Duration { return 0 }
func (b *ZeroBackOff) Reset()                     {}

type PermanentError struct{ Err error }

func (e *PermanentError) Error() string { return "" }

func NewExponentialBackOff() *ExponentialBackOff                      { return nil }
func NewConstantBackOff(d time.Duration) *ConstantBackOff             { return nil }
func WithMaxTries(b BackOff, max uint64) BackOff                      { return b }
func WithContext(b BackOff, ctx context.Context) BackOffContext       { return nil }
func Permanent(err error) *PermanentError                             { return nil }
func Retry(o Operation, b BackOff) error                              { return o() }
func RetryNotify(operation Operation, b BackOff, notify Notify) error { return operation() }
