package pacing

import (
	"math/rand/v2"
	"time"
)

type Backoff struct {
	attempts     int
	Initial, Max time.Duration
	Jitter       time.Duration
}

func (b *Backoff) Duration() time.Duration {
	d := b.Max
	if f := time.Duration(1 << uint(b.attempts)); f > 0 { // want `doubles without limit`
		d = f * b.Initial
	}
	if b.Jitter > 0 {
		d += rand.N(b.Jitter)
	}
	b.attempts++
	return d
}

// Max is the greatest of its arguments.
func Max(values ...time.Duration) time.Duration {
	var m time.Duration
	for _, v := range values {
		if v > m {
			m = v
		}
	}
	return m
}
