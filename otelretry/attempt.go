package otelretry

import (
	"context"
	"sync/atomic"
	"time"
)

// contextKey is the type of this package's keys in a context. The keys are
// pointers, since those compare in one instruction.
type contextKey struct{ _ byte }

var (
	attemptKey        = &contextKey{} // the nearest *attempt
	idempotencyKeyKey = &contextKey{} // the nearest *attempt, or a callersKey
)

// attempt is the context of one attempt. It costs no timer and no allocation
// of its own until someone waits for it: the context that ends with the
// attempt's time limit is made at the first call of Done.
type attempt struct {
	context.Context // the request's
	req             *request
	limit           time.Duration // when its time is up, on the policy's clock; 0: never
	number          int32
	byTimeout       bool // limit comes from WithAttemptTimeout and not from the deadline
	timed           atomic.Pointer[timedContext]
}

// Value finds the attempt itself, and everything that the request's context
// holds.
func (a *attempt) Value(key any) any {
	if key == any(attemptKey) || key == any(idempotencyKeyKey) {
		return a
	}
	if t := a.timed.Load(); t != nil && t.Context != nil {
		return t.Context.Value(key)
	}
	return a.Context.Value(key)
}

// Deadline is the earlier of the caller's and the attempt's own.
func (a *attempt) Deadline() (time.Time, bool) {
	if a.limit == 0 {
		return a.Context.Deadline()
	}
	if t := a.timed.Load(); t != nil && t.Context != nil {
		return t.Deadline()
	}
	p := a.req.op.policy
	own := p.timeOfDay().Add(a.limit - p.now())
	if callers, ok := a.Context.Deadline(); ok && callers.Before(own) {
		return callers, true
	}
	return own, true
}

// Done is closed when the attempt's time is up, the caller's context is done,
// or the attempt is over.
func (a *attempt) Done() <-chan struct{} {
	return a.context().Done()
}

// Err says how the context ended.
func (a *attempt) Err() error {
	if t := a.timed.Load(); t != nil {
		if t.Context == nil {
			return context.Canceled
		}
		return t.Err()
	}
	if err := a.Context.Err(); err != nil {
		return err
	}
	if a.limit != 0 && a.req.op.policy.now() >= a.limit {
		return a.context().Err() // from now on it has a cause
	}
	return nil
}

// context gives the context that ends with the attempt, making it at first.
func (a *attempt) context() *timedContext {
	for {
		t := a.timed.Load()
		if t != nil && t.Context != nil {
			return t
		}
		made := a.req.op.policy.newTimedContext(a.Context, a.limit, a.timeoutCause())
		if t == endedAttempt {
			made.cancel() // asked for only after the attempt: already over
		}
		if a.timed.CompareAndSwap(t, made) {
			return made
		}
		made.cancel()
	}
}

func (a *attempt) timeoutCause() error {
	if a.byTimeout {
		return ErrAttemptTimeout
	}
	return ErrDeadline
}

// expired reports whether the attempt's own time was up while the caller was
// still waiting.
func (a *attempt) expired(now time.Duration) bool {
	return a.limit != 0 && now >= a.limit
}

// end ends the attempt's context, at once or when its last hold is released.
func (a *attempt) end() {
	if a.timed.CompareAndSwap(nil, endedAttempt) {
		return
	}
	if t := a.timed.Load(); t.Context != nil {
		t.release()
	}
}

// timedContext is a context, mostly with a time limit, that is released once nobody
// holds it any more: the attempt itself counts as one holder.
type timedContext struct {
	context.Context
	cancel  func()
	holders atomic.Int32
}

// endedAttempt stands for the context of an attempt that nobody asked for
// while the attempt ran.
var endedAttempt = &timedContext{}

func (t *timedContext) release() {
	if t.holders.Add(-1) == 0 {
		t.cancel()
	}
}

// hold keeps the context from ending with the attempt; false when it is over.
func (t *timedContext) hold() bool {
	for {
		n := t.holders.Load()
		if n == 0 {
			return false
		}
		if t.holders.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (p *Policy) newTimedContext(parent context.Context, limit time.Duration, cause error) *timedContext {
	t := &timedContext{}
	t.holders.Store(1)
	if limit == 0 {
		t.Context, t.cancel = context.WithCancel(parent)
		return t
	}
	left := limit - p.now()
	if p.clock == nil {
		t.Context, t.cancel = context.WithDeadlineCause(parent, time.Now().Add(left), cause)
		return t
	}
	t.Context, t.cancel = newClockContext(parent, p.clock, left, cause)
	return t
}

// Hold keeps the context of the current attempt alive after the function has
// returned, until release is called (more than once does nothing more). A
// transport that hands back a body or a stream, which is read later, holds
// the attempt's context and releases it when the body is closed; the time
// limit of the attempt still applies. Outside an attempt, Hold does nothing.
func Hold(ctx context.Context) (release func()) {
	a, ok := ctx.Value(attemptKey).(*attempt)
	if !ok {
		return func() {}
	}
	t := a.context()
	if !t.hold() {
		return func() {}
	}
	var released atomic.Bool
	return func() {
		if released.CompareAndSwap(false, true) {
			t.release()
		}
	}
}

// AttemptNumber gives the number of the attempt that ctx belongs to, counted
// from 1, and 0 outside an attempt of this package.
func AttemptNumber(ctx context.Context) int {
	if a, ok := ctx.Value(attemptKey).(*attempt); ok {
		return int(a.number)
	}
	return 0
}
