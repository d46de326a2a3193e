package otelretry_test

import (
	"context"
	"fmt"
	"slices"
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

// peak gives the most retries in one slot of time, and where the slots with
// any begin.
func peak(times []time.Duration, slot time.Duration) (most int, slots map[time.Duration]int) {
	slots = map[time.Duration]int{}
	for _, at := range times {
		begin := at.Truncate(slot)
		slots[begin]++
		most = max(most, slots[begin])
	}
	return most, slots
}

// A thousand clients that failed together: only jitter keeps them from coming
// back together.
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
		most, _ := peak(times, 100*time.Millisecond)
		fmt.Printf("%-12s at most %4d retries in 100 ms, %.1f s of waiting on average\n", strategy.name, most, mean.Seconds())
	}
	// Output:
	// none         at most 1000 retries in 100 ms, 31.0 s of waiting on average
	// full         at most  150 retries in 100 ms, 15.6 s of waiting on average
	// equal        at most  213 retries in 100 ms, 23.3 s of waiting on average
	// decorrelated at most   70 retries in 100 ms, 31.9 s of waiting on average
}

func TestHerdOfAThousand(t *testing.T) {
	const base, limit = time.Second, 30 * time.Second
	for _, test := range []struct {
		name    string
		backoff otelretry.Backoff
		peak    float64
		wait    float64
	}{
		{"none", otelretry.Exponential(base, limit), 1000, 31},
		{"full", otelretry.FullJitter(base, limit), 155, 15.4},
		{"equal", otelretry.EqualJitter(base, limit), 222, 23.3},
		{"decorrelated", otelretry.DecorrelatedJitter(base, limit), 75, 30.7},
	} {
		t.Run(test.name, func(t *testing.T) {
			const runs = 10
			var peaks, waits float64
			for seed := range uint64(runs) {
				times, mean := herd(1000, 5, test.backoff, seed)
				most, _ := peak(times, 100*time.Millisecond)
				peaks, waits = peaks+float64(most)/runs, waits+mean.Seconds()/runs
			}
			t.Logf("peak %.1f, wait %.2f s", peaks, waits)
			assert.InEpsilon(t, test.peak, peaks, 0.08) // one run's peak varies by as much
			assert.InEpsilon(t, test.wait, waits, 0.03)
		})
	}
}

func TestHerdOfTenThousandWithoutJitterComesInBursts(t *testing.T) {
	times, _ := herd(10_000, 3, otelretry.Exponential(200*time.Millisecond, 10*time.Second), 1)
	_, slots := peak(times, time.Millisecond)
	assert.Equal(t, map[time.Duration]int{
		200 * time.Millisecond: 10_000, 600 * time.Millisecond: 10_000, 1400 * time.Millisecond: 10_000,
	}, slots)
}

func TestHerdOfTwelve(t *testing.T) {
	// The first calls are part of this picture: 12 clients, 5 calls each.
	calls := func(backoff otelretry.Backoff, seed uint64) []time.Duration {
		times, _ := herd(12, 4, backoff, seed)
		return append(make([]time.Duration, 12), times...)
	}
	span := func(times []time.Duration) (last time.Duration) {
		for _, at := range times {
			last = max(last, at)
		}
		return last
	}
	const limit = 30 * time.Second

	constant := calls(otelretry.Constant(2*time.Second), 1)
	most, _ := peak(constant, 250*time.Millisecond)
	assert.Len(t, constant, 60)
	assert.Equal(t, 12, most)
	assert.Equal(t, 8*time.Second, span(constant))

	_, slots := peak(calls(otelretry.Exponential(time.Second, limit), 1), 250*time.Millisecond)
	assert.Equal(t, map[time.Duration]int{0: 12, time.Second: 12, 3 * time.Second: 12, 7 * time.Second: 12, 15 * time.Second: 12}, slots)

	// How far twelve clients spread is a matter of luck: the known figures,
	// each from one run, must be within the middle nine tenths of many runs.
	spread := func(backoff otelretry.Backoff) (low, high float64) {
		var spans []float64
		for seed := range uint64(200) {
			spans = append(spans, span(calls(backoff, seed)).Seconds())
		}
		slices.Sort(spans)
		return spans[10], spans[190]
	}
	low, high := spread(otelretry.FullJitter(time.Second, limit))
	t.Logf("full jitter spreads over %.1f to %.1f s", low, high)
	assert.Less(t, low, 10.0)
	assert.Greater(t, high, 10.0)
	low, high = spread(otelretry.DecorrelatedJitter(500*time.Millisecond, limit))
	t.Logf("decorrelated jitter spreads over %.1f to %.1f s", low, high)
	assert.Less(t, low, 16.0)
	assert.Greater(t, high, 16.0)
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

// shop charges each idempotency key once.
type shop struct {
	clock   *otelretrytest.Clock
	charges map[string]int
	seen    int
}

func (s *shop) charge(ctx context.Context) (status int, err error) {
	s.seen++
	key := otelretry.IdempotencyKey(ctx)
	switch s.seen {
	case 1: // overloaded, nothing done
		if err := s.clock.Work(ctx, 120*time.Millisecond); err != nil {
			return 0, err
		}
		return 503, statusError(503)
	case 2: // charges, but the answer doesn't come in time
		s.charges[key]++
		return 0, s.clock.Work(ctx, time.Minute)
	}
	if err := s.clock.Work(ctx, 90*time.Millisecond); err != nil {
		return 0, err
	}
	if s.charges[key] > 0 { // claimed already: the stored result
		otelretry.IdempotencyReplayed(ctx)
		return 201, nil
	}
	s.charges[key]++
	return 201, nil
}

// The checkout whose second attempt times out after the server has acted: the
// key makes it one charge.
func TestCheckoutTrace(t *testing.T) {
	clock, recorder := otelretrytest.NewClock(3), otelretrytest.NewRecorder(t)
	policy, err := otelretry.New("payments", append(recorder.Options(), otelretry.WithClock(clock), otelretry.WithMaxAttempts(3),
		otelretry.WithDeadline(3*time.Second), otelretry.WithAttemptTimeout(800*time.Millisecond),
		otelretry.WithBackoff(otelretry.FullJitter(200*time.Millisecond, 3*time.Second)))...)
	require.NoError(t, err)
	server := &shop{clock: clock, charges: map[string]int{}}

	status, err := otelretry.Do(t.Context(), policy.Operation("charge"), server.charge)

	require.NoError(t, err)
	assert.Equal(t, 201, status)
	assert.Equal(t, 3, server.seen)
	require.Len(t, server.charges, 1, "one key")
	for _, times := range server.charges {
		assert.Equal(t, 1, times, "one charge")
	}
	waits := clock.Waits()
	require.Len(t, waits, 2)
	assert.LessOrEqual(t, waits[0], 200*time.Millisecond)
	assert.LessOrEqual(t, waits[1], 400*time.Millisecond)
	assert.Equal(t, 120*time.Millisecond+waits[0]+800*time.Millisecond+waits[1]+90*time.Millisecond, clock.Elapsed())
	attempts := recorder.Requests()[0].Attempts
	assert.Equal(t, []string{"503", "attempt_timeout", ""}, []string{attempts[0].ErrorType(), attempts[1].ErrorType(), attempts[2].ErrorType()})
	assert.EqualValues(t, 1, recorder.Count("otelretry.idempotency.replays"))
	recorder.AssertConsistent()
	t.Log("waits", waits, "elapsed", clock.Elapsed())
}
