package otelretry_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func drawBackoff(t *rapid.T) (b otelretry.Backoff, low, high func(n int, previous time.Duration) time.Duration) {
	base := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "base"))
	limit := time.Duration(rapid.Int64Range(int64(base), math.MaxInt64).Draw(t, "cap"))
	extra := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "jitter"))
	// exp in floating point is the reference: it has no overflow to get wrong.
	exp := func(n int) time.Duration { return capped(float64(base)*math.Pow(2, float64(n-1)), limit) }
	zero := func(int, time.Duration) time.Duration { return 0 }
	switch rapid.IntRange(0, 6).Draw(t, "strategy") {
	case 0:
		same := func(int, time.Duration) time.Duration { return base }
		return otelretry.Constant(base), same, same
	case 1:
		line := func(n int, _ time.Duration) time.Duration { return capped(float64(base)*float64(n), limit) }
		return otelretry.Linear(base, limit), line, line
	case 2:
		e := func(n int, _ time.Duration) time.Duration { return exp(n) }
		return otelretry.Exponential(base, limit), e, e
	case 3:
		return otelretry.FullJitter(base, limit), zero, func(n int, _ time.Duration) time.Duration { return exp(n) }
	case 4:
		return otelretry.EqualJitter(base, limit), func(n int, _ time.Duration) time.Duration { return exp(n) / 2 },
			func(n int, _ time.Duration) time.Duration { return exp(n) }
	case 5:
		return otelretry.DecorrelatedJitter(base, limit), func(int, time.Duration) time.Duration { return base },
			func(_ int, previous time.Duration) time.Duration {
				return capped(3*float64(max(previous, base)), limit)
			}
	default:
		return otelretry.ExponentialWithJitter(base, limit, extra), func(n int, _ time.Duration) time.Duration { return exp(n) },
			func(n int, _ time.Duration) time.Duration { return capped(float64(exp(n))+float64(extra), limit) }
	}
}

func capped(d float64, limit time.Duration) time.Duration {
	if d >= float64(limit) {
		return limit
	}
	return time.Duration(d)
}

func TestEveryWaitLiesInItsStrategysRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, low, high := drawBackoff(t)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var previous time.Duration
		n := rapid.IntRange(1, 2000).Draw(t, "first retry")
		for range 20 {
			got := b.Delay(n, previous, random.Int64N)
			longest := b.Delay(n, previous, nil)
			// Floating point has 53 bits: allow what it can't tell apart.
			slack := func(d time.Duration) time.Duration { return d/(1<<50) + 2 }
			lowest, highest := low(n, previous), high(n, previous)
			if got < lowest-slack(lowest) || got-slack(highest) > highest || got < 0 {
				t.Fatalf("%s: wait %s before retry %d (previous %s) is not in [%s, %s]", b, got, n, previous, lowest, highest)
			}
			if got > longest {
				t.Fatalf("%s: wait %s is longer than the longest %s", b, got, longest)
			}
			previous = got
			n = min(n*2, math.MaxInt/2)
		}
	})
}

// outcomeOf is a failure script: what each attempt takes and comes to.
type scripted struct {
	takes     time.Duration
	obstinate bool // it doesn't end with its context
	err       error
}

func drawScript(t *rapid.T) []scripted {
	errs := []error{nil, nil, statusError(503), statusError(429), statusError(404), errors.New("own"), context.Canceled,
		context.DeadlineExceeded, otelretry.RetryAfter(3*time.Second, statusError(503)), otelretry.RetryAfter(time.Hour, statusError(429)),
		otelretry.RetryAfter(math.MaxInt64, statusError(429)), otelretry.Permanent(statusError(503))}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) scripted {
		return scripted{
			takes: time.Duration(rapid.Int64Range(0, int64(4*time.Second)).Draw(t, "takes")),
			err:   rapid.SampledFrom(errs).Draw(t, "err"),

			obstinate: rapid.IntRange(0, 5).Draw(t, "obstinate") == 0,
		}
	}), 12, 12).Draw(t, "script")
}

func TestPropertiesOfRequests(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		clock, recorder := otelretrytest.NewClock(rapid.Uint64().Draw(t, "seed")), otelretrytest.NewRecorder(outer)
		most := rapid.IntRange(1, 8).Draw(t, "attempts")
		deadline := time.Duration(rapid.Int64Range(int64(time.Second), int64(40*time.Second)).Draw(t, "deadline"))
		attemptTimeout := time.Duration(rapid.Int64Range(int64(time.Second), int64(deadline)).Draw(t, "attempt timeout"))
		backoff := rapid.SampledFrom([]otelretry.Backoff{otelretry.Constant(time.Second), otelretry.Linear(time.Second, time.Minute),
			otelretry.Exponential(100*time.Millisecond, time.Minute), otelretry.EqualJitter(time.Second, time.Minute),
			otelretry.DecorrelatedJitter(time.Second, time.Minute), otelretry.ExponentialWithJitter(time.Second, time.Minute, time.Second),
			otelretry.FullJitter(time.Second, time.Minute)}).Draw(t, "backoff")
		options := append(recorder.Options(), otelretry.WithClock(clock), otelretry.WithMaxAttempts(most), otelretry.WithDeadline(deadline),
			otelretry.WithAttemptTimeout(attemptTimeout), otelretry.WithBackoff(backoff))
		if rapid.Bool().Draw(t, "budget") {
			budget, err := otelretry.NewThrottlingBudget("b", 4, 0.5)
			require.NoError(t, err)
			options = append(options, otelretry.WithBudget(budget))
		}
		policy, err := otelretry.New("d", options...)
		require.NoError(t, err)
		op := policy.Operation("o", otelretry.Idempotent())

		requests := rapid.IntRange(1, 5).Draw(t, "requests")
		var attempts, retries, retried, succeeded int64
		for range requests {
			script := drawScript(t)
			ctx, cancel := context.WithCancel(context.Background())
			stopAt := -1
			if rapid.Bool().Draw(t, "canceled") {
				stopAt = rapid.IntRange(0, 8).Draw(t, "canceled in attempt")
				if stopAt == 0 {
					cancel()
				}
			}
			start, calls, waitsBefore := clock.Elapsed(), 0, len(clock.Waits())
			var lastEnded, longest time.Duration // of what doesn't end with its context
			err := op.Run(ctx, func(ctx context.Context) error {
				step := script[calls]
				calls++
				if calls == stopAt {
					cancel()
				}
				err := step.err
				if step.obstinate {
					longest = max(longest, step.takes)
					clock.Advance(step.takes)
				} else if late := clock.Work(ctx, step.takes); late != nil {
					err = late
				}
				lastEnded = clock.Elapsed()
				return err
			})
			cancel()
			attempts += int64(calls)
			retries += int64(max(calls-1, 0))
			if calls > 1 {
				retried++
			}
			if err == nil {
				succeeded++
			}
			if calls > most {
				t.Fatalf("%d attempts, at most %d allowed", calls, most)
			}
			if stopAt == 0 && calls > 0 {
				t.Fatal("an attempt was made although the context had ended")
			}
			if stopAt > 0 && calls > stopAt {
				t.Fatalf("attempt %d followed a cancellation in attempt %d", calls, stopAt)
			}
			if took := clock.Elapsed() - start; took > deadline+longest {
				t.Fatalf("the request took %s, its deadline is %s and its longest obstinate attempt %s", took, deadline, longest)
			}
			if calls > 0 && clock.Elapsed() != lastEnded {
				t.Fatal("there was a wait after the last attempt")
			}
			waits := clock.Waits()[waitsBefore:]
			fullJitter := strings.HasPrefix(backoff.String(), "full jitter") // it can draw a wait of 0, which isn't one
			if len(waits) > max(calls-1, 0) || len(waits) < calls-1 && !fullJitter {
				t.Fatalf("%d attempts had %d waits", calls, len(waits))
			}
			var failure *otelretry.Error
			if err != nil && (!errors.As(err, &failure) || failure.Attempts != calls) {
				t.Fatalf("error %v doesn't tell %d attempts", err, calls)
			}
		}
		if got := recorder.Count("otelretry.requests"); got != int64(requests) {
			t.Fatalf("outcomes add up to %d, there were %d requests", got, requests)
		}
		for name, happened := range map[string]int64{
			"otelretry.attempts": attempts, "otelretry.retries": retries, "otelretry.retried_requests": retried,
			"otelretry.request.duration": int64(requests), "otelretry.request.added_duration": retried,
		} {
			if _, recorded := recorder.Metrics()[name]; !recorded && happened == 0 {
				continue // a histogram without values
			}
			if told := recorder.Count(name); told != happened {
				t.Fatalf("%s tells %d, there were %d", name, told, happened)
			}
		}
		var told int64
		for _, outcome := range []otelretry.Outcome{otelretry.FirstAttemptSuccess, otelretry.RetriedSuccess} {
			told += recorder.Count("otelretry.requests", attribute.String("retry.outcome", outcome.String()))
		}
		if told != succeeded {
			t.Fatalf("%d successes are told, there were %d", told, succeeded)
		}
		recorder.AssertConsistent()
		if outer.Failed() {
			t.Fatal("spans and metrics disagree")
		}
	})
}

func TestBudgetBoundsAmplificationInAnOutage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requests := rapid.IntRange(200, 1000).Draw(t, "requests")
		var budget *otelretry.Budget
		var err error
		if rapid.Bool().Draw(t, "throttling") {
			budget, err = otelretry.NewThrottlingBudget("b", 10, 0.1)
		} else {
			budget, err = otelretry.NewShareBudget("b", 0.1, rapid.IntRange(1, 50).Draw(t, "reserve"))
		}
		require.NoError(t, err)
		policies := make([]*otelretry.Operation, rapid.IntRange(1, 3).Draw(t, "policies"))
		for i := range policies { // they share the budget
			policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.NoWait()),
				otelretry.WithMaxAttempts(rapid.IntRange(2, 10).Draw(t, "attempts")), otelretry.WithBudget(budget))
			require.NoError(t, err)
			policies[i] = policy.Operation("o", otelretry.Idempotent())
		}
		attempts := 0
		for i := range requests {
			_ = policies[i%len(policies)].Run(context.Background(), func(context.Context) error { attempts++; return statusError(503) })
		}
		if amplification := float64(attempts) / float64(requests); amplification > 1.1 {
			t.Fatalf("%d attempts for %d requests: %.3f", attempts, requests, amplification)
		}
		if budget.Utilization() < 0.5 {
			t.Fatalf("utilization is %v in an outage", budget.Utilization())
		}
	})
}

func TestBudgetIsNeverStarvedForEver(t *testing.T) {
	share, err := otelretry.NewShareBudget("share", 0.1, 5)
	require.NoError(t, err)
	throttling, err := otelretry.NewThrottlingBudget("throttling", 10, 0.1)
	require.NoError(t, err)
	for _, budget := range []*otelretry.Budget{share, throttling} {
		for name, answer := range map[string]error{"successes": nil, "failures that are not retried": statusError(404)} {
			t.Run(budget.Name()+" is refilled by "+name, func(t *testing.T) {
				policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.NoWait()), otelretry.WithBudget(budget))
				require.NoError(t, err)
				op := policy.Operation("o", otelretry.Idempotent())
				for range 1000 { // an outage
					_ = op.Run(t.Context(), func(context.Context) error { return statusError(503) })
				}
				for range 200 { // it is over
					_ = op.Run(t.Context(), func(context.Context) error { return answer })
				}
				calls := 0
				_ = op.Run(t.Context(), func(context.Context) error { calls++; return statusError(503) })
				assert.Greater(t, calls, 1, "retries are granted again")
			})
		}
	}
}

func TestBudgetsAreChecked(t *testing.T) {
	for _, test := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := otelretry.NewShareBudget("", 0.1, 1); return err }, "needs a name"},
		{func() error { _, err := otelretry.NewShareBudget("b", 0, 1); return err }, "share 0 must be more than 0"},
		{func() error { _, err := otelretry.NewShareBudget("b", 1.5, 1); return err }, "at most 1"},
		{func() error { _, err := otelretry.NewShareBudget("b", math.NaN(), 1); return err }, "share NaN"},
		{func() error { _, err := otelretry.NewShareBudget("b", 0.1, 0); return err }, "reserve 0"},
		{func() error { _, err := otelretry.NewThrottlingBudget("", 1, 1); return err }, "needs a name"},
		{func() error { _, err := otelretry.NewThrottlingBudget("b", 0, 1); return err }, "maxTokens 0"},
		{func() error { _, err := otelretry.NewThrottlingBudget("b", math.NaN(), 1); return err }, "maxTokens NaN"},
		{func() error { _, err := otelretry.NewThrottlingBudget("b", 10, 0); return err }, "tokenRatio 0"},
	} {
		assert.ErrorContains(t, test.err(), test.want)
	}
}

// A million requests, many at once, must leave nothing behind.
func TestMillionRequestsInParallelDoNotGrow(t *testing.T) {
	recorder := otelretrytest.NewRecorder(t)
	policy, err := otelretry.New("d", otelretry.WithMeterProvider(recorder.MeterProvider()), otelretry.WithBackoff(otelretry.Constant(time.Nanosecond)))
	require.NoError(t, err)
	op := policy.Operation("o", otelretry.Idempotent())
	const requests, workers = parallelRequests, 64
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var next, attempts atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for n := next.Add(1); n <= requests; n = next.Add(1) {
				_ = op.Run(context.Background(), func(ctx context.Context) error {
					attempts.Add(1)
					if n%100 == 0 && otelretry.AttemptNumber(ctx) == 1 {
						return statusError(503)
					}
					return nil
				})
			}
		})
	}
	wait.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.EqualValues(t, requests+requests/100, attempts.Load())
	assert.EqualValues(t, requests, recorder.Count("otelretry.requests"))
	assert.Zero(t, recorder.Count("otelretry.attempts.in_flight"))
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(4<<20))
}
