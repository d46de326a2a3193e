package main

import (
	"context"
	"errors"
	"time"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// herd is a number of clients that fail together at time 0.
type herd struct {
	clients  int
	attempts int // that each client makes at most
	failures int // how many of them fail
	backoff  otelretry.Backoff
}

// result is what the clients of a herd did.
type result struct {
	clients  int
	retries  []time.Duration // when each retry came
	meanWait time.Duration   // of the clients' waits, added up for each
}

// calls are the retries and the first calls, which all came at 0.
func (r result) calls() []time.Duration {
	return append(make([]time.Duration, r.clients), r.retries...)
}

var errDown = errors.New("down")

// run lets each client make its request. Each has a clock of its own, since
// clients don't wait for one another.
func (h herd) run(seed uint64) (result, error) {
	all := result{clients: h.clients}
	var waits time.Duration
	for client := range h.clients {
		clock := otelretrytest.NewClock(seed<<32 + uint64(client))
		policy, err := otelretry.New("dependency", otelretry.WithoutTelemetry(), otelretry.WithClock(clock),
			otelretry.WithBackoff(h.backoff), otelretry.WithMaxAttempts(h.attempts), otelretry.WithoutDeadline())
		if err != nil {
			return result{}, err
		}
		err = policy.Operation("call").Run(context.Background(), func(ctx context.Context) error {
			number := otelretry.AttemptNumber(ctx)
			if number > 1 {
				all.retries = append(all.retries, clock.Elapsed())
			}
			if number <= h.failures {
				return otelretry.Retryable(errDown)
			}
			return nil
		})
		if err != nil && !errors.Is(err, otelretry.ErrExhausted) {
			return result{}, err
		}
		waits += clock.Elapsed()
	}
	all.meanWait = waits / time.Duration(h.clients)
	return all, nil
}

// peak gives the most calls in one slot of time, and how many each slot with
// any has, by its beginning.
func peak(at []time.Duration, slot time.Duration) (most int, slots map[time.Duration]int) {
	slots = map[time.Duration]int{}
	for _, t := range at {
		begin := t.Truncate(slot)
		slots[begin]++
		most = max(most, slots[begin])
	}
	return most, slots
}
