// Package pacing computes waits for other packages.
package pacing

import (
	"math/rand/v2"
	"time"
)

type Backoff struct {
	attempts uint
	Initial  time.Duration
	Max      time.Duration
	Jitter   time.Duration
}

func (b *Backoff) Duration() time.Duration {
	d := b.Initial << b.attempts // want `the wait that \(\*Backoff\).Duration computes doubles without limit`
	b.attempts++
	if b.Jitter > 0 {
		d += rand.N(b.Jitter)
	}
	return d
}

func Limited(attempt uint) time.Duration {
	return min(time.Second<<min(attempt, 10), time.Minute)
}
