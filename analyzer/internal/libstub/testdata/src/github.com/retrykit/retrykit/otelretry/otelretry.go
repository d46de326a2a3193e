// Package otelretry has the signatures of github.com/retrykit/retrykit/otelretry.
package otelretry

import (
	"context"
	"time"
)

type Option interface{ apply() }

type OperationOption interface{ applyOperation() }

type Policy struct{}

type Operation struct{}

type Backoff struct{}

func New(dependency string, options ...Option) (*Policy, error)                     { return nil, nil }
func WithMaxAttempts(n int) Option                                                  { return nil }
func WithDeadline(d time.Duration) Option                                           { return nil }
func (p *Policy) Operation(name string, options ...OperationOption) *Operation      { return nil }
func (op *Operation) Run(ctx context.Context, fn func(context.Context) error) error { return fn(ctx) }
func Do[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	return fn(ctx)
}
func Permanent(err error) error { return err }
func DoHedged[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	return fn(ctx)
}
func WithBackoff(b Backoff) Option                                  { return nil }
func Constant(d time.Duration) Backoff                              { return Backoff{} }
func Exponential(base, cap time.Duration) Backoff                   { return Backoff{} }
func ExponentialWithJitter(base, cap, jitter time.Duration) Backoff { return Backoff{} }
func FullJitter(base, cap time.Duration) Backoff                    { return Backoff{} }
func Linear(base, cap time.Duration) Backoff                        { return Backoff{} }
func NoWait() Backoff                                               { return Backoff{} }
