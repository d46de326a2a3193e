// Package strategy has the signatures of github.com/Rican7/retry/strategy.
package strategy

import (
	"time"

	"github.com/Rican7/retry/backoff"
)

type Strategy func(attempt uint) bool

func Limit(attemptLimit uint) Strategy             { return nil }
func Delay(duration time.Duration) Strategy        { return nil }
func Wait(durations ...time.Duration) Strategy     { return nil }
func Backoff(algorithm backoff.Algorithm) Strategy { return nil }
