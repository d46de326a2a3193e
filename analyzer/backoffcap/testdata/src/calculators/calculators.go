package calculators

import (
	"math"
	"math/rand/v2"
	"time"
)

func ExponentialBackoff(index int) time.Duration {
	seconds := math.Pow(2, float64(index)) // want `the wait that ExponentialBackoff computes doubles without limit`
	return time.Duration(seconds) * time.Second
}

func Shifted(base time.Duration) func(attempt uint) time.Duration {
	return func(attempt uint) time.Duration {
		return base << attempt // want `the wait that Shifted computes doubles without limit`
	}
}

type Backoff struct {
	attempts     int
	Initial, Max time.Duration
	Jitter       time.Duration
}

// The comparison with 0 sees a shift that overflowed, not the product.
func (b *Backoff) Duration() (dur time.Duration) {
	if b.Max == 0 {
		b.Max = time.Minute
	}
	if dur = time.Duration(1 << uint(b.attempts)); dur > 0 { // want `the wait that \(\*Backoff\).Duration computes doubles without limit`
		dur = dur * b.Initial
	} else {
		dur = b.Max
	}
	if b.Jitter > 0 {
		dur += rand.N(b.Jitter)
	}
	b.attempts++
	return dur
}

type Capped struct {
	cur, Max time.Duration
}

func (c *Capped) NextBackOff() time.Duration {
	d := c.cur
	c.cur *= 2
	if c.cur > c.Max {
		c.cur = c.Max
	}
	return d
}

type Uncapped struct{ cur time.Duration }

func (u *Uncapped) NextBackOff() time.Duration {
	d := u.cur
	u.cur *= 2 // want `the wait that \(\*Uncapped\).NextBackOff computes doubles without limit`
	return d
}

func LimitedBackoff(attempt uint) time.Duration {
	if attempt > 16 {
		attempt = 16
	}
	return time.Millisecond << attempt
}

func overloadBackoff(base, limit time.Duration, attempt uint) time.Duration {
	d := base
	for i := uint(0); i < attempt && d < limit; i++ {
		d *= 2
	}
	return d
}
