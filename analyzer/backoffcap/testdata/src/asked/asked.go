// Package asked has functions that compute a wait for callers who limit it.
package asked

import (
	"math"
	"time"
)

type Config struct {
	Multiplier, MaxBackoff time.Duration
	Strategy               Strategy
}

type Strategy interface {
	Calculate(attempt int) time.Duration
}

type Exponential struct{ cfg *Config }

// Who asks for it takes no more than MaxBackoff.
func (e *Exponential) Calculate(attempt int) time.Duration {
	return e.cfg.Multiplier * time.Duration(math.Pow(2, float64(attempt)))
}

func (c *Config) pause(level int) time.Duration {
	backoff := c.Strategy.Calculate(level)
	if backoff > c.MaxBackoff {
		backoff = c.MaxBackoff
	}
	return backoff
}

func doubled(attempt int) time.Duration {
	return time.Second << attempt
}

func atMost(attempt int) time.Duration { return min(doubled(attempt), time.Minute) }

// Nobody limits this one: the comparison decides something else.
type Pacer interface {
	Pace(attempt int) time.Duration
}

type Power struct{ first time.Duration }

func (p Power) Pace(attempt int) time.Duration {
	return p.first * time.Duration(math.Pow(2, float64(attempt))) // want `doubles without limit`
}

func slow(p Pacer, n int) (bool, time.Duration) {
	pace := p.Pace(n)
	if pace > time.Second {
		return true, pace
	}
	return false, pace
}

// Other packages can call this one, and need not limit it.
func Backoff(attempt int) time.Duration {
	return time.Second << attempt // want `doubles without limit`
}

func limited(attempt int) time.Duration { return min(Backoff(attempt), time.Minute) }
