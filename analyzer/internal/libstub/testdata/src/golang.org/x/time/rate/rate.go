// Package rate has the signatures of golang.org/x/time/rate.
package rate

import "context"

type Limit float64

type Limiter struct{}

func NewLimiter(r Limit, b int) *Limiter { return nil }

func (lim *Limiter) Wait(ctx context.Context) error { return nil }
func (lim *Limiter) Allow() bool                    { return true }
