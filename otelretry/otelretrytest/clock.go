package otelretrytest

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/retrykit/retrykit/otelretry"
)

// Clock is a clock that only moves when something waits on it: Sleep returns
// at once and sets the clock forward, so that a test of an hour's retries
// takes no time and its schedule can be asserted to the nanosecond. It also
// is the policy's source of randomness, reproducible by its seed. It is safe
// for concurrent use, but concurrent sleepers each set the one clock forward:
// use testing/synctest to test what happens at the same time.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	random *rand.Rand
	slept  []time.Duration
	timers []*timer
}

var _ otelretry.Clock = (*Clock)(nil)

type timer struct {
	at time.Time
	f  func()
}

// Start is where every Clock starts.
var Start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// NewClock makes a clock at [Start]. Equal seeds give equal randomness.
func NewClock(seed uint64) *Clock {
	return &Clock{now: Start, random: rand.New(rand.NewPCG(seed, seed))}
}

// Now gives the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Elapsed gives the time since [Start].
func (c *Clock) Elapsed() time.Duration { return c.Now().Sub(Start) }

// Uint64 gives the next random number.
func (c *Clock) Uint64() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.random.Uint64()
}

// Sleep sets the clock forward by d, or to the moment within it at which ctx
// ends, records the wait, and returns ctx.Err().
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	c.slept = append(c.slept, d)
	c.mu.Unlock()
	return c.pass(ctx, d)
}

// Work is Sleep for the time that a call under test takes: it isn't recorded
// as a wait.
func (c *Clock) Work(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.pass(ctx, d)
}

// Advance sets the clock forward by d and runs what was due in between. A
// negative d makes the clock jump back, as a broken clock would.
func (c *Clock) Advance(d time.Duration) {
	if d < 0 {
		c.mu.Lock()
		c.now = c.now.Add(d)
		c.mu.Unlock()
		return
	}
	_ = c.pass(context.Background(), d)
}

// pass moves from timer to timer until d is over or ctx ends.
func (c *Clock) pass(ctx context.Context, d time.Duration) error {
	ctx.Done() // a context may make its timer only now that someone waits
	c.mu.Lock()
	end := c.now.Add(d)
	for {
		next := c.due(end)
		if next == nil {
			break
		}
		c.mu.Unlock()
		next.f()
		if err := ctx.Err(); err != nil {
			return err
		}
		c.mu.Lock()
	}
	if end.After(c.now) {
		c.now = end
	}
	c.mu.Unlock()
	return ctx.Err()
}

// due takes the earliest timer that is due by end, and moves the clock to it.
func (c *Clock) due(end time.Time) *timer {
	earliest := -1
	for i, t := range c.timers {
		if !t.at.After(end) && (earliest < 0 || t.at.Before(c.timers[earliest].at)) {
			earliest = i
		}
	}
	if earliest < 0 {
		return nil
	}
	t := c.timers[earliest]
	c.timers = slices.Delete(c.timers, earliest, earliest+1)
	if t.at.After(c.now) {
		c.now = t.at
	}
	return t
}

// AfterFunc calls f when the clock passes d from now.
func (c *Clock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.timers, t)
		if i < 0 {
			return false
		}
		c.timers = slices.Delete(c.timers, i, i+1)
		return true
	}
}

// WithTimeout is context.WithTimeout on this clock: for a caller's own
// deadline.
func (c *Clock) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	t := &timeoutContext{Context: ctx, deadline: c.Now().Add(d)}
	stop := c.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return t, func() {
		stop()
		cancel(context.Canceled)
	}
}

type timeoutContext struct {
	context.Context
	deadline time.Time
}

func (t *timeoutContext) Deadline() (time.Time, bool) { return t.deadline, true }

func (t *timeoutContext) Err() error {
	if t.Context.Err() == nil {
		return nil
	}
	return context.Cause(t.Context)
}

// Waits gives the waits so far, in order: the schedule of the retries.
func (c *Clock) Waits() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.slept)
}
