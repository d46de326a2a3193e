package delays

import (
	"math"
	"math/rand/v2"
	"time"
)

type Backoff struct {
	attempts uint
	Initial  time.Duration
	Jitter   time.Duration
}

func (b *Backoff) Duration() time.Duration { // want Duration:`delayer\(uncapped, jitter by Jitter\)`
	d := b.Initial << b.attempts
	b.attempts++
	if b.Jitter > 0 {
		d += rand.N(b.Jitter)
	}
	return d
}

func Limited(attempt uint) time.Duration { // want Limited:`delayer\(jitter=no\)`
	return min(time.Second<<attempt, time.Minute)
}

func Random(attempt int) time.Duration { // want Random:`delayer\(uncapped, jitter=yes\)`
	return rand.N(time.Duration(math.Pow(2, float64(attempt))) * time.Second)
}

// Neither grows by doubling.
func Linear(attempt int) time.Duration { return time.Duration(attempt) * time.Second }

func Fixed() time.Duration { return time.Second }
