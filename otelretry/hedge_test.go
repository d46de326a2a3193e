package otelretry_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func hedging(t *testing.T, options ...otelretry.Option) (*otelretry.Operation, *otelretrytest.Recorder) {
	t.Helper()
	recorder := otelretrytest.NewRecorder(t)
	policy, err := otelretry.New("search", append(append(recorder.Options(),
		otelretry.WithHedging(50*time.Millisecond, 2), otelretry.WithBackoff(otelretry.Constant(time.Second))), options...)...)
	require.NoError(t, err)
	return policy.Operation("query", otelretry.Idempotent()), recorder
}

// sleep waits as a well-behaved call does.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestHedgeAnswersFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		start := time.Now()
		got, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			n := otelretry.AttemptNumber(ctx)
			if n == 1 {
				return n, sleep(ctx, time.Minute)
			}
			return n, sleep(ctx, 10*time.Millisecond)
		})
		require.NoError(t, err)
		assert.Equal(t, 2, got)
		assert.Equal(t, 60*time.Millisecond, time.Since(start))
		synctest.Wait() // the first attempt's context has ended, and so does the attempt

		recorder.AssertOutcomes("query", map[otelretry.Outcome]int{otelretry.RetriedSuccess: 1})
		recorder.AssertConsistent()
		attempts := recorder.Requests()[0].Attempts
		require.Len(t, attempts, 2)
		assert.Equal(t, "canceled", attempts[0].ErrorType())
	})
}

func TestHedgeThatAnswersKeepsAHeldContext(t *testing.T) {
	for name, options := range map[string][]otelretry.Option{"with a deadline": nil, "without": {otelretry.WithoutDeadline()}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				op, _ := hedging(t, options...)
				contexts, releases := map[int]context.Context{}, map[int]func(){}
				var mu sync.Mutex
				number, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
					n := otelretry.AttemptNumber(ctx)
					mu.Lock()
					contexts[n], releases[n] = ctx, otelretry.Hold(ctx) // as a transport does for a body
					mu.Unlock()
					if n == 1 {
						return n, sleep(ctx, time.Minute)
					}
					return n, nil
				})
				require.NoError(t, err)
				assert.Equal(t, 2, number)
				synctest.Wait()
				require.NoError(t, contexts[2].Err(), "the body of the answer can be read")
				select {
				case <-contexts[2].Done():
					t.Error("done too soon")
				default:
				}
				require.ErrorIs(t, contexts[1].Err(), context.Canceled, "the other has ended, held or not")
				releases[1]()
				releases[2]()
				require.ErrorIs(t, contexts[2].Err(), context.Canceled)
			})
		})
	}
}

func TestHedgeIsNotNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			return 1, sleep(ctx, 49*time.Millisecond)
		})
		require.NoError(t, err)
		recorder.AssertOutcomes("query", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1})
		recorder.AssertConsistent()
	})
}

func TestHedgesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			return 1, sleep(ctx, time.Second)
		})
		require.NoError(t, err)
		synctest.Wait()
		assert.Len(t, recorder.Requests()[0].Attempts, 3, "one call and two hedges")
		recorder.AssertConsistent()
	})
}

func TestHedgedRequestRetriesWhenAllAttemptsFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t, otelretry.WithHedging(50*time.Millisecond, 1))
		start := time.Now()
		got, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			n := otelretry.AttemptNumber(ctx)
			if n < 3 {
				_ = sleep(ctx, 60*time.Millisecond)
				return n, statusError(503)
			}
			return n, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 3, got)
		assert.Equal(t, 1110*time.Millisecond, time.Since(start), "both failed by 110 ms, then the backoff")
		recorder.AssertConsistent()
	})
}

// added gives the sum of otelretry.request.added_duration, in seconds.
func added(t *testing.T, recorder *otelretrytest.Recorder) float64 {
	t.Helper()
	histogram, ok := recorder.Metrics()["otelretry.request.added_duration"].Data.(metricdata.Histogram[float64])
	require.True(t, ok)
	require.Len(t, histogram.DataPoints, 1)
	return histogram.DataPoints[0].Sum
}

func TestHedgesAddNoTimeUnlessTheFirstAttemptEndedBefore(t *testing.T) {
	for _, test := range []struct {
		name  string
		takes map[int]time.Duration // by attempt, until it fails or, the last of them, succeeds
		want  float64
	}{
		{"the hedge answers while the first attempt runs", map[int]time.Duration{1: time.Minute, 2: 10 * time.Millisecond}, 0},
		{"the first attempt fails, then the hedge answers", map[int]time.Duration{1: 60 * time.Millisecond, 2: 30 * time.Millisecond}, 0.02},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				op, recorder := hedging(t, otelretry.WithHedging(50*time.Millisecond, 1))
				_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
					n := otelretry.AttemptNumber(ctx)
					if err := sleep(ctx, test.takes[n]); err != nil || n == len(test.takes) {
						return n, err
					}
					return n, statusError(503)
				})
				require.NoError(t, err)
				synctest.Wait()
				assert.InDelta(t, test.want, added(t, recorder), 1e-9)
			})
		})
	}
	t.Run("the first attempt never ends by itself", func(t *testing.T) { // by the system's clock: a bubble's is before the process
		op, recorder := hedging(t, otelretry.WithHedging(time.Nanosecond, 1))
		over := make(chan struct{})
		_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			if otelretry.AttemptNumber(ctx) == 1 {
				defer close(over)
				<-ctx.Done()
			}
			return 0, nil
		})
		require.NoError(t, err)
		<-over
		assert.Zero(t, added(t, recorder))
	})
	t.Run("the hedge fails first, and the first attempt answers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			op, recorder := hedging(t, otelretry.WithHedging(50*time.Millisecond, 1))
			_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
				if otelretry.AttemptNumber(ctx) == 2 {
					return 2, statusError(503)
				}
				return 1, sleep(ctx, time.Second)
			})
			require.NoError(t, err)
			assert.InDelta(t, 0, added(t, recorder), 1e-9)
		})
	})
}

func TestHedgesAreBoundedPerRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t, otelretry.WithHedging(50*time.Millisecond, 1))
		_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			_ = sleep(ctx, 80*time.Millisecond)
			if otelretry.AttemptNumber(ctx) < 4 {
				return 0, statusError(503)
			}
			return 0, nil
		})
		require.NoError(t, err)
		synctest.Wait()
		assert.EqualValues(t, 1, recorder.Count("otelretry.retries", attribute.String("error.type", "hedge")))
		recorder.AssertConsistent()
	})
}

func TestAPanicNobodyWaitsForIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		_, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			if otelretry.AttemptNumber(ctx) == 1 {
				<-ctx.Done()
				panic("too late")
			}
			return 2, nil
		})
		require.NoError(t, err)
		synctest.Wait()
		attempts := recorder.Requests()[0].Attempts
		require.Len(t, attempts, 2)
		assert.Equal(t, "panic", attempts[0].ErrorType())
		recorder.AssertConsistent()
	})
}

func TestHedgedPermanentFailureIsAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		got, err := otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) {
			n := otelretry.AttemptNumber(ctx)
			if n == 1 {
				return n, sleep(ctx, time.Minute)
			}
			return n, statusError(404)
		})
		require.ErrorIs(t, err, otelretry.ErrNotRetryable)
		assert.Equal(t, 2, got, "the last value comes back too")
		synctest.Wait()
		recorder.AssertConsistent()
	})
}

func TestHedgedRequestEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(70*time.Millisecond, cancel)
		_, err := otelretry.DoHedged(ctx, op, func(ctx context.Context) (int, error) { return 0, sleep(ctx, time.Minute) })
		require.ErrorIs(t, err, otelretry.ErrCanceled)
		require.ErrorIs(t, err, context.Canceled)
		synctest.Wait()
		recorder.AssertOutcomes("query", map[otelretry.Outcome]int{otelretry.Canceled: 1})
		recorder.AssertConsistent()
	})
}

func TestHedgedPanicReachesTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, recorder := hedging(t)
		assert.PanicsWithValue(t, "boom", func() {
			_, _ = otelretry.DoHedged(t.Context(), op, func(context.Context) (int, error) { panic("boom") })
		})
		recorder.AssertOutcomes("query", map[otelretry.Outcome]int{otelretry.NotRetryable: 1})
		recorder.AssertConsistent()
	})
}

func TestHedgesArePaidFromTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget, err := otelretry.NewShareBudget("search", 0.1, 10)
		require.NoError(t, err)
		op, recorder := hedging(t, otelretry.WithBudget(budget))
		_, err = otelretry.DoHedged(t.Context(), op, func(ctx context.Context) (int, error) { return 1, sleep(ctx, time.Second) })
		require.NoError(t, err)
		assert.Len(t, recorder.Requests()[0].Attempts, 1)
		assert.Positive(t, recorder.Count("otelretry.budget.rejections"))
	})
}

func TestOtherOperationsAreNotHedged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op, _ := hedging(t)
		write := op.Policy().Operation("write")
		calls := 0
		_, err := otelretry.DoHedged(t.Context(), write, func(ctx context.Context) (int, error) {
			calls++
			return 0, errors.Join(sleep(ctx, time.Second), errors.New("no"))
		})
		require.Error(t, err)
		assert.Equal(t, 1, calls)
	})
}

func TestHedgedGoexitGoesOn(t *testing.T) {
	policy, err := otelretry.New("d", otelretry.WithoutTelemetry(), otelretry.WithHedging(time.Hour, 1))
	require.NoError(t, err)
	op := policy.Operation("o", otelretry.Idempotent())
	panicked, returned := any(nil), false
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer func() { panicked = recover() }()
		_, _ = otelretry.DoHedged(context.Background(), op, func(context.Context) (int, error) {
			runtime.Goexit()
			return 0, nil
		})
		returned = true
	}()
	<-over
	assert.Nil(t, panicked, "a Goexit is no panic")
	assert.False(t, returned, "it ends the goroutine of the caller, as with Do")
}

// Nobody waits for an answer after the deadline, or that of the caller: there is
// nothing to hedge, however long an attempt takes to end.
func TestNoHedgeAfterTheEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		options []otelretry.Option
		cancel  time.Duration
		want    otelretry.Outcome
	}{
		"canceled":         {nil, 20 * time.Millisecond, otelretry.Canceled},
		"deadline":         {[]otelretry.Option{otelretry.WithDeadline(20 * time.Millisecond)}, time.Hour, otelretry.DeadlineExceeded},
		"between hedges":   {nil, 70 * time.Millisecond, otelretry.Canceled},
		"at the first one": {nil, 50*time.Millisecond - 1, otelretry.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				op, recorder := hedging(t, tt.options...)
				ctx, cancel := context.WithCancel(t.Context())
				defer time.AfterFunc(tt.cancel, cancel).Stop()
				var calls atomic.Int32
				_, err := otelretry.DoHedged(ctx, op, func(ctx context.Context) (int, error) {
					calls.Add(1)
					time.Sleep(time.Second) // as a call does that knows no context
					return 0, errors.Join(context.DeadlineExceeded, ctx.Err())
				})
				var failure *otelretry.Error
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, tt.want, failure.Reason)
				want := 1 + int32(min(tt.cancel, 99*time.Millisecond)/(50*time.Millisecond))
				if name == "deadline" {
					want = 1
				}
				assert.Equal(t, want, calls.Load())
				time.Sleep(time.Second) // all attempts have ended
				synctest.Wait()
				recorder.AssertConsistent()
			})
		})
	}
}

// A time to hedge after that never comes is not one that is over.
func TestHedgeAfterEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, err := otelretry.New("search", otelretry.WithHedging(math.MaxInt64, 1), otelretry.WithoutTelemetry())
		require.NoError(t, err)
		var calls atomic.Int32
		_, err = otelretry.DoHedged(t.Context(), policy.Operation("query", otelretry.Idempotent()), func(ctx context.Context) (int, error) {
			calls.Add(1)
			return 1, sleep(ctx, time.Second)
		})
		require.NoError(t, err)
		assert.EqualValues(t, 1, calls.Load())
	})
}
