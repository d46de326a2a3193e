package otelretrytest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// told keeps what assertions say instead of failing the test.
type told struct {
	testing.TB
	errors []string
}

func (f *told) Helper() {}
func (f *told) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func TestAssertionsFail(t *testing.T) {
	tb := &told{TB: t}
	recorder := otelretrytest.NewRecorder(tb)
	require.NoError(t, request(otelretrytest.NewClock(1), recorder, 1))

	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.RetriedSuccess: 1})
	recorder.AssertConsistent()
	assert.Empty(t, tb.errors)

	recorder.AssertOutcomes("charge", map[otelretry.Outcome]int{otelretry.FirstAttemptSuccess: 1})
	assert.Equal(t, []string{
		`operation "charge": metric otelretry.requests has 0 requests with outcome first_attempt_success, want 1`,
		`operation "charge": 0 request spans have outcome first_attempt_success, want 1`,
		`operation "charge": metric otelretry.requests has 1 requests with outcome retried_success, want 0`,
		`operation "charge": 1 request spans have outcome retried_success, want 0`,
	}, tb.errors)

	tb.errors = nil
	policy, err := otelretry.New("payments", otelretry.WithMeterProvider(recorder.MeterProvider()))
	require.NoError(t, err) // its requests have metrics but no spans
	require.NoError(t, policy.Operation("charge").Run(t.Context(), func(context.Context) error { return nil }))
	recorder.AssertConsistent()
	assert.Contains(t, tb.errors, "metric otelretry.requests is 2, spans say 1")
}

func TestClockRunsTimersInTheirOrder(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	var order []int
	for _, seconds := range []int{3, 1, 2, 9} {
		clock.AfterFunc(time.Duration(seconds)*time.Second, func() { order = append(order, seconds) })
	}
	require.NoError(t, clock.Sleep(t.Context(), 5*time.Second))
	assert.Equal(t, []int{1, 2, 3}, order)
	assert.Equal(t, 5*time.Second, clock.Elapsed())
	clock.Advance(-time.Second)
	assert.Equal(t, 4*time.Second, clock.Elapsed())
}

func TestClockIsSafeForConcurrentUse(t *testing.T) {
	clock := otelretrytest.NewClock(1)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 100 {
				stop := clock.AfterFunc(time.Millisecond, func() {})
				_ = clock.Sleep(context.Background(), time.Millisecond)
				stop()
			}
		})
	}
	wait.Wait()
	assert.Len(t, clock.Waits(), 800)
	assert.GreaterOrEqual(t, clock.Elapsed(), 100*time.Millisecond)
}
