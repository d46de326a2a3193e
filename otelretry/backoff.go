package otelretry

import (
	"fmt"
	"math"
	"time"
)

// Backoff is how long a policy waits before each retry. It is a plain value:
// make one with [FullJitter] (the default), [EqualJitter],
// [DecorrelatedJitter], [Exponential], [ExponentialWithJitter], [Linear],
// [Constant] or [NoWait]. Its settings are checked by [New].
//
// Retries are counted from 1. exp(n) below is min(cap, base*2^(n-1)); all the
// arithmetic saturates, so that no number of retries overflows and reaching
// the cap never ends a request.
//
// The jittered strategies are those of Marc Brooker, "Exponential Backoff and
// Jitter", AWS Architecture Blog, 2015.
type Backoff struct {
	kind              backoffKind
	base, cap, jitter time.Duration
}

type backoffKind uint8

const (
	backoffUnset backoffKind = iota
	backoffNone
	backoffConstant
	backoffLinear
	backoffExponential
	backoffFull
	backoffEqual
	backoffDecorrelated
	backoffAdditive
)

var backoffNames = [...]string{
	backoffUnset: "unset", backoffNone: "no wait", backoffConstant: "constant", backoffLinear: "linear",
	backoffExponential: "exponential", backoffFull: "full jitter", backoffEqual: "equal jitter",
	backoffDecorrelated: "decorrelated jitter", backoffAdditive: "exponential with jitter",
}

// NoWait retries at once. It suits optimistic concurrency inside one process;
// against a remote dependency it is a way to make an outage worse.
func NoWait() Backoff { return Backoff{kind: backoffNone} }

// Constant waits d before every retry.
func Constant(d time.Duration) Backoff {
	return Backoff{kind: backoffConstant, base: d, cap: d}
}

// Linear waits min(cap, base*n) before retry n.
func Linear(base, cap time.Duration) Backoff {
	return Backoff{kind: backoffLinear, base: base, cap: cap}
}

// Exponential waits exp(n) before retry n. Clients that failed together retry
// together: prefer a jittered strategy when there is more than one client.
func Exponential(base, cap time.Duration) Backoff {
	return Backoff{kind: backoffExponential, base: base, cap: cap}
}

// FullJitter waits uniform(0, exp(n)) before retry n. It is the default, with
// a base of 200 ms and a cap of 10 s: the fewest calls for a given time to
// success, and half the wait of Exponential on average.
func FullJitter(base, cap time.Duration) Backoff {
	return Backoff{kind: backoffFull, base: base, cap: cap}
}

// EqualJitter waits exp(n)/2 + uniform(0, exp(n)/2) before retry n: never
// less than half of the exponential wait.
func EqualJitter(base, cap time.Duration) Backoff {
	return Backoff{kind: backoffEqual, base: base, cap: cap}
}

// DecorrelatedJitter waits min(cap, uniform(base, 3*previous)), where previous
// is the wait before, and base at first.
func DecorrelatedJitter(base, cap time.Duration) Backoff {
	return Backoff{kind: backoffDecorrelated, base: base, cap: cap}
}

// ExponentialWithJitter waits min(cap, exp(n) + uniform(0, jitter)) before
// retry n.
func ExponentialWithJitter(base, cap, jitter time.Duration) Backoff {
	return Backoff{kind: backoffAdditive, base: base, cap: cap, jitter: jitter}
}

// String names the strategy and its settings, for example
// "full jitter 200ms..10s".
func (b Backoff) String() string {
	name := backoffNames[b.kind]
	switch b.kind {
	case backoffUnset, backoffNone:
		return name
	case backoffConstant:
		return fmt.Sprintf("%s %s", name, b.base)
	case backoffAdditive:
		return fmt.Sprintf("%s %s..%s +%s", name, b.base, b.cap, b.jitter)
	}
	return fmt.Sprintf("%s %s..%s", name, b.base, b.cap)
}

// Delay gives the wait before retry n, counted from 1. previous is the wait
// before retry n-1 and only matters to DecorrelatedJitter; 0 means that there
// was none. random gives a uniform number in [0, max); a nil random stands
// for the largest, so that Delay gives the longest wait.
func (b Backoff) Delay(n int, previous time.Duration, random func(max int64) int64) time.Duration {
	switch b.kind {
	case backoffNone, backoffUnset:
		return 0
	case backoffConstant:
		return b.base
	case backoffLinear:
		return min(b.cap, mulSaturating(b.base, int64(n)))
	case backoffExponential:
		return b.exp(n)
	case backoffFull:
		return uniform(0, b.exp(n), random)
	case backoffEqual:
		e := b.exp(n)
		return uniform(e/2, e, random)
	case backoffDecorrelated:
		previous = max(previous, b.base)
		return min(b.cap, uniform(b.base, mulSaturating(previous, 3), random))
	default:
		return min(b.cap, addSaturating(b.exp(n), uniform(0, b.jitter, random)))
	}
}

// exp is min(cap, base*2^(n-1)).
func (b Backoff) exp(n int) time.Duration {
	if n < 1 {
		n = 1
	}
	shift := n - 1
	if shift >= 63 || b.base > b.cap>>shift {
		return b.cap
	}
	return b.base << shift
}

// longest gives the longest wait before retry n; previous as for Delay.
func (b Backoff) longest(n int, previous time.Duration) time.Duration {
	return b.Delay(n, previous, nil)
}

// check gives the way out of a bad setting, or "".
func (b Backoff) check() string {
	switch b.kind {
	case backoffUnset:
		return "the zero Backoff says nothing; use FullJitter, another strategy, or NoWait"
	case backoffNone:
		return ""
	}
	switch {
	case b.base <= 0:
		return fmt.Sprintf("base wait %s must be positive; use NoWait to retry at once", b.base)
	case b.cap < b.base:
		return fmt.Sprintf("cap %s is below the base %s; the cap must be at least the base", b.cap, b.base)
	case b.kind == backoffAdditive && b.jitter <= 0:
		return fmt.Sprintf("jitter %s must be positive; use Exponential for none", b.jitter)
	}
	return ""
}

// uniform gives a number in [low, high]; high when random is nil.
func uniform(low, high time.Duration, random func(int64) int64) time.Duration {
	if high <= low {
		return low
	}
	if random == nil {
		return high
	}
	span := int64(high - low)
	if span < math.MaxInt64 {
		span++ // both ends are included
	}
	return low + time.Duration(random(span))
}

func mulSaturating(d time.Duration, k int64) time.Duration {
	if k <= 0 || d <= 0 {
		return 0
	}
	if int64(d) > math.MaxInt64/k {
		return math.MaxInt64
	}
	return d * time.Duration(k)
}

func addSaturating(a, b time.Duration) time.Duration {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// spread gives the jitter on top of a server's hint: up to a tenth of it and
// of the cap, whichever is less; none for a strategy without jitter.
func (b Backoff) spread(hint time.Duration, random func(int64) int64) time.Duration {
	switch b.kind {
	case backoffFull, backoffEqual, backoffDecorrelated, backoffAdditive:
		return uniform(0, min(hint, b.cap)/10, random)
	}
	return 0
}
