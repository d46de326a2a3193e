package otelretry_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// herd lets clients fail together at time 0 and retry by one strategy. It
// gives when each retry came, and the mean of the clients' total waits. Each
// client has a clock of its own, since clients don't wait for one another.
func herd(clients, retries int, backoff otelretry.Backoff, seed uint64) (times []time.Duration, mean time.Duration) {
	for client := range clients {
		clock := otelretrytest.NewClock(seed<<32 + uint64(client))
		policy, err := otelretry.New("herd", otelretry.WithoutTelemetry(), otelretry.WithClock(clock), otelretry.WithBackoff(backoff),
			otelretry.WithMaxAttempts(retries+1), otelretry.WithoutDeadline())
		if err != nil {
			panic(err)
		}
		_ = policy.Operation("call").Run(context.Background(), func(ctx context.Context) error {
			if otelretry.AttemptNumber(ctx) > 1 {
				times = append(times, clock.Elapsed())
			}
			return otelretry.Retryable(errDown)
		})
		mean += clock.Elapsed()
	}
	return times, mean / time.Duration(clients)
}

type downError struct{}

func (downError) Error() string { return "down" }

var errDown = downError{}

// peak gives the most retries in one slot of time.
func peak(times []time.Duration, slot time.Duration) (most int) {
	slots := map[time.Duration]int{}
	for _, at := range times {
		slots[at.Truncate(slot)]++
		most = max(most, slots[at.Truncate(slot)])
	}
	return most
}

// A thousand clients that failed together: only jitter keeps them from coming
// back together. examples/experiments/herd has more of this.
func Example_herd() {
	const base, limit = time.Second, 30 * time.Second
	for _, strategy := range []struct {
		name    string
		backoff otelretry.Backoff
	}{
		{"none", otelretry.Exponential(base, limit)},
		{"full", otelretry.FullJitter(base, limit)},
		{"equal", otelretry.EqualJitter(base, limit)},
		{"decorrelated", otelretry.DecorrelatedJitter(base, limit)},
	} {
		times, mean := herd(1000, 5, strategy.backoff, 1)
		most := peak(times, 100*time.Millisecond)
		fmt.Printf("%-12s at most %4d retries in 100 ms, %.1f s of waiting on average\n", strategy.name, most, mean.Seconds())
	}
	// Output:
	// none         at most 1000 retries in 100 ms, 31.0 s of waiting on average
	// full         at most  150 retries in 100 ms, 15.6 s of waiting on average
	// equal        at most  213 retries in 100 ms, 23.3 s of waiting on average
	// decorrelated at most   70 retries in 100 ms, 31.9 s of waiting on average
}

// flaky is a server that gives these answers in turn and then success.
type flaky struct {
	answers []error
	calls   int
}

func (f *flaky) call(context.Context) (int, error) {
	f.calls++
	if f.calls <= len(f.answers) {
		return 0, f.answers[f.calls-1]
	}
	return 200, nil
}

func TestFourBehaviours(t *testing.T) {
	exponential := otelretry.WithBackoff(otelretry.Exponential(200*time.Millisecond, 3*time.Second))
	times := func(n int, err error) (all []error) {
		for range n {
			all = append(all, err)
		}
		return all
	}
	const ms = time.Millisecond
	for _, test := range []struct {
		name    string
		options []otelretry.Option
		server  flaky
		waits   []time.Duration
		calls   int
		want    error
	}{
		{"recovers on the fifth attempt", []otelretry.Option{otelretry.WithMaxAttempts(5)}, flaky{answers: times(4, statusError(503))},
			[]time.Duration{200 * ms, 400 * ms, 800 * ms, 1600 * ms}, 5, nil},
		{"not found fails at once", nil, flaky{answers: times(9, statusError(404))}, nil, 1, otelretry.ErrNotRetryable},
		{"429 waits as long as it was asked to", nil, flaky{answers: times(1, otelretry.RetryAfter(3*time.Second, statusError(429)))},
			[]time.Duration{3 * time.Second}, 2, nil},
		{"always down gives up with the last status", nil, flaky{answers: times(9, statusError(503))},
			[]time.Duration{200 * ms, 400 * ms, 800 * ms}, 4, otelretry.ErrExhausted},
		{"Retry-After: 7 with 3 attempts", []otelretry.Option{otelretry.WithMaxAttempts(3)},
			flaky{answers: times(9, otelretry.RetryAfter(7*time.Second, statusError(503)))}, []time.Duration{7 * time.Second, 7 * time.Second}, 3, otelretry.ErrExhausted},
	} {
		t.Run(test.name, func(t *testing.T) {
			policy, recorder, clock := recorded(t, append([]otelretry.Option{exponential}, test.options...)...)
			got, err := otelretry.Do(t.Context(), policy.Operation("get", otelretry.Idempotent()), test.server.call)
			assert.Equal(t, test.waits, clock.Waits())
			assert.Equal(t, test.calls, test.server.calls)
			recorder.AssertConsistent()
			if test.want == nil {
				require.NoError(t, err)
				assert.Equal(t, 200, got)
				return
			}
			require.ErrorIs(t, err, test.want)
			var status statusError
			require.ErrorAs(t, err, &status, "the last status is kept")
		})
	}
}
