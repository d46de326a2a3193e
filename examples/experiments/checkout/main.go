// Checkout replays one charge that fails twice: the server is overloaded, then
// charges but answers too late. The idempotency key, made once for the request,
// lets the third attempt find what the second did.
//
//	go run ./experiments/checkout
//
// Time and randomness come from a clock of the experiment's own, so that the
// trace is the same each time and takes no time.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: checkout")
		os.Exit(2)
	}
	if _, err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "checkout:", err)
		os.Exit(1)
	}
}

// scripted is a clock whose jitter is written down: full jitter draws a wait
// in nanoseconds from 0 to the backoff.
type scripted struct {
	*otelretrytest.Clock
	draws []uint64
}

// Uint64 gives the draws in turn, and random numbers before and after: the
// first two become the idempotency key.
func (s *scripted) Uint64() uint64 {
	if len(s.draws) == 0 {
		return s.Clock.Uint64()
	}
	next := s.draws[0]
	s.draws = s.draws[1:]
	if next == anything {
		return s.Clock.Uint64()
	}
	return next
}

const anything = ^uint64(0)

// run makes the charge, prints its trace and returns what the server did.
func run(ctx context.Context, w io.Writer, options ...otelretry.Option) (*payments, error) {
	clock := &scripted{otelretrytest.NewClock(1), []uint64{
		anything, anything, uint64(140 * time.Millisecond), uint64(310 * time.Millisecond),
	}}
	policy, err := otelretry.New("payments", append(options,
		otelretry.WithMaxAttempts(3),
		otelretry.WithBackoff(otelretry.FullJitter(200*time.Millisecond, 3*time.Second)),
		otelretry.WithAttemptTimeout(800*time.Millisecond),
		otelretry.WithDeadline(3*time.Second),
		otelretry.WithClock(clock),
		otelretry.WithObserver(func(e otelretry.Event) { tell(w, e) }))...)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(w, policy)
	server := &payments{clock: clock.Clock, stored: map[string]bool{}}
	status, err := otelretry.Do(ctx, policy.Operation("charge"), func(ctx context.Context) (int, error) {
		status, replayed, err := server.charge(ctx, otelretry.IdempotencyKey(ctx))
		if replayed {
			otelretry.IdempotencyReplayed(ctx)
		}
		return status, err
	})
	if err != nil {
		return server, err
	}
	fmt.Fprintf(w, "%4d ms  %d %s: %d attempts, %d key, %d charge\n", clock.Elapsed().Milliseconds(), status, http.StatusText(status),
		server.calls, len(server.stored), server.charges)
	return server, nil
}

// tell prints an event of the request.
func tell(w io.Writer, e otelretry.Event) {
	at := e.Elapsed.Milliseconds()
	switch {
	case e.Kind == otelretry.AttemptStarted:
		fmt.Fprintf(w, "%4d ms  attempt %d starts\n", at, e.Attempt)
	case e.Kind == otelretry.AttemptEnded && errors.Is(context.Cause(e.Context), otelretry.ErrAttemptTimeout):
		fmt.Fprintf(w, "%4d ms  attempt %d times out\n", at, e.Attempt)
	case e.Kind == otelretry.AttemptEnded && e.Err != nil:
		fmt.Fprintf(w, "%4d ms  attempt %d fails: %v\n", at, e.Attempt, e.Err)
	case e.Kind == otelretry.RetryScheduled:
		fmt.Fprintf(w, "%4d ms  waits %v\n", at, e.Delay)
	}
}

// payments is the server: it stores the result of a charge under its key.
type payments struct {
	clock          *otelretrytest.Clock
	calls, charges int
	stored         map[string]bool
}

// overloaded is the server's 503.
type overloaded struct{}

func (overloaded) Error() string   { return "503 Service Unavailable" }
func (overloaded) StatusCode() int { return http.StatusServiceUnavailable }

func (p *payments) charge(ctx context.Context, key string) (status int, replayed bool, err error) {
	p.calls++
	switch p.calls {
	case 1:
		if err := p.clock.Work(ctx, 120*time.Millisecond); err != nil {
			return 0, false, err
		}
		return 0, false, overloaded{}
	case 2: // it charges, and the answer is lost
		p.charges++
		p.stored[key] = true
		return 0, false, p.clock.Work(ctx, time.Minute)
	}
	if err := p.clock.Work(ctx, 90*time.Millisecond); err != nil {
		return 0, false, err
	}
	if p.stored[key] {
		return http.StatusCreated, true, nil
	}
	p.charges++
	p.stored[key] = true
	return http.StatusCreated, false, nil
}
