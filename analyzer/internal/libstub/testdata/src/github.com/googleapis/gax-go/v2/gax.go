// Package gax has the signatures of github.com/googleapis/gax-go/v2.
package gax

import (
	"context"
	"time"
)

type CallSettings struct{}

type CallOption interface{ Resolve(cs *CallSettings) }

type APICall func(context.Context, CallSettings) error

type Retryer interface {
	Retry(err error) (pause time.Duration, shouldRetry bool)
}

func Invoke(ctx context.Context, call APICall, opts ...CallOption) error { return nil }
func WithRetry(fn func() Retryer) CallOption                             { return nil }
func WithTimeout(t time.Duration) CallOption                             { return nil }
