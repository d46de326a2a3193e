// Package failsafe has the signatures of github.com/failsafe-go/failsafe-go.
package failsafe

import (
	"context"
	"time"
)

type Policy[R any] interface{ ToExecutor(typeToken R) any }

type Execution[R any] interface{ Attempts() int }

type DelayFunc[R any] func(exec Execution[R]) time.Duration

type FailurePolicyBuilder[S any, R any] interface {
	HandleErrors(errs ...error) S
	HandleIf(predicate func(R, error) bool) S
}

type DelayablePolicyBuilder[S any, R any] interface {
	WithDelay(delay time.Duration) S
}

type Executor[R any] interface {
	WithContext(ctx context.Context) Executor[R]
	Run(fn func() error) error
	Get(fn func() (R, error)) (R, error)
	GetWithExecution(fn func(exec Execution[R]) (R, error)) (R, error)
}

func With[R any](policies ...Policy[R]) Executor[R] { return nil }
