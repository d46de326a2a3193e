package otelretry

import (
	"context"
	"math/rand/v2"
	"time"
)

// Clock is where a policy takes the time, its waits and its randomness from.
// Without WithClock a policy uses the system's. Tests give one of package
// otelretrytest; an implementation must be safe for concurrent use.
type Clock interface {
	// Now gives the time. It should carry a monotonic reading or never go
	// back; a policy survives a clock that jumps, but measures by it.
	Now() time.Time
	// Sleep returns nil after d, or at once with ctx.Err() when ctx is done.
	// Sleep is called with a positive d only.
	Sleep(ctx context.Context, d time.Duration) error
	// AfterFunc calls f after d, from any goroutine, unless stop is called
	// before. stop reports whether it prevented the call.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
	// Uint64 gives a uniformly distributed random number: jitter and
	// idempotency keys are made of it.
	Uint64() uint64
}

// processStart anchors the monotonic readings of the system clock: one read
// of the monotonic clock costs half of what time.Now does.
var processStart = time.Now()

// now is the policy's monotonic time, as a distance from a fixed origin.
func (p *Policy) now() time.Duration {
	if p.clock == nil {
		return time.Since(processStart)
	}
	return p.clock.Now().Sub(p.clockOrigin)
}

// timeOfDay gives the time as contexts and idempotency keys tell it.
func (p *Policy) timeOfDay() time.Time {
	if p.clock == nil {
		return time.Now()
	}
	return p.clock.Now()
}

// random gives a uniform number in [0, max).
func (p *Policy) random(max int64) int64 {
	if p.clock == nil {
		return rand.Int64N(max)
	}
	return int64(p.clock.Uint64() % uint64(max))
}

// inBubble tells the clock of a testing/synctest bubble, which starts in the
// year 2000 and so before the process, from the system's. Timers can't be used
// on both sides of a bubble's wall.
func (p *Policy) inBubble() bool { return p.now() < 0 }

// waiter waits between the attempts of one request with one timer.
type waiter struct{ timer *time.Timer }

// wait returns nil after d, or ctx.Err() at once when ctx is done.
func (w *waiter) wait(ctx context.Context, p *Policy, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if p.clock != nil {
		if err := p.clock.Sleep(ctx, d); err != nil {
			return err
		}
		return ctx.Err()
	}
	w.start(p, d)
	select {
	case <-w.timer.C:
		return ctx.Err() // both may have come at once
	case <-ctx.Done():
		if !w.timer.Stop() {
			w.timer = nil // it fired just now and isn't to be used again
		}
		return ctx.Err()
	}
}

func (w *waiter) start(p *Policy, d time.Duration) {
	if w.timer == nil && !p.inBubble() {
		w.timer, _ = p.timers.Get().(*time.Timer)
	}
	if w.timer == nil {
		w.timer = time.NewTimer(d)
		return
	}
	w.timer.Reset(d)
}

// release lets another request use the timer.
func (w *waiter) release(p *Policy) {
	if w.timer != nil && !p.inBubble() {
		p.timers.Put(w.timer)
		w.timer = nil
	}
}
