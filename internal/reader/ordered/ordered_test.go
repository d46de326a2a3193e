package ordered_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/internal/reader/ordered"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// count fills 0 to n-1, and nothing more after it said that it is at the end.
func count(t *testing.T, n int) func(*int) (bool, error) {
	i, ended := -1, false
	return func(item *int) (bool, error) {
		assert.False(t, ended, "filled after the end")
		i++
		*item, ended = i, i >= n
		return !ended, nil
	}
}

func double(int) func(*int) int { return func(i *int) int { return 2 * *i } }

func TestOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		var got []int
		err := ordered.Run(t.Context(), workers, count(t, 1000), double, func(r int) error {
			got = append(got, r)
			return nil
		})
		require.NoError(t, err)
		require.Len(t, got, 1000)
		for i, r := range got {
			require.Equal(t, 2*i, r)
		}
	}
}

// Items take any time to fill, to work on and to consume; the order stays, and
// what waits is bounded.
func TestOrderWhateverTakesLong(t *testing.T) {
	for _, slow := range []string{"fill", "lead", "helpers", "consume"} {
		synctest.Test(t, func(t *testing.T) {
			pause := func(of string, i int) {
				if of == slow {
					time.Sleep(time.Duration(i*7919%13) * time.Millisecond)
				}
			}
			const workers = 4
			var mu sync.Mutex
			filled, consumed := 0, 0
			next := count(t, 200)
			err := ordered.Run(t.Context(), workers, func(item *int) (bool, error) {
				more, err := next(item)
				pause("fill", *item)
				mu.Lock()
				defer mu.Unlock()
				filled++
				assert.LessOrEqual(t, filled-consumed, 5*workers, "items under way, when %s takes long", slow)
				return more, err
			}, func(number int) func(*int) int {
				return func(i *int) int {
					if number == 0 {
						pause("lead", *i)
					} else {
						pause("helpers", *i)
					}
					return *i
				}
			}, func(r int) error {
				mu.Lock()
				assert.Equal(t, consumed, r)
				consumed++
				mu.Unlock()
				pause("consume", r)
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, 200, consumed)
		})
	}
}

// One item needs no other goroutine.
func TestHelpersStartAfterTheFirstItem(t *testing.T) {
	var mu sync.Mutex
	started := 0
	worker := func(int) func(*int) int {
		mu.Lock()
		defer mu.Unlock()
		started++
		return func(i *int) int { return *i }
	}
	require.NoError(t, ordered.Run(t.Context(), 8, count(t, 0), worker, func(int) error { return nil }))
	assert.Equal(t, 1, started)
	require.NoError(t, ordered.Run(t.Context(), 8, count(t, 2), worker, func(int) error { return nil }))
	assert.Equal(t, 1+8, started)
}

func TestErrorsEndEverything(t *testing.T) {
	boom := errors.New("boom")
	for _, workers := range []int{1, 2, 3, 8} {
		err := ordered.Run(t.Context(), workers, count(t, 1e9), double, func(r int) error {
			if r == 10 {
				return boom
			}
			assert.Less(t, r, 10, "nothing is consumed after an error")
			return nil
		})
		assert.ErrorIs(t, err, boom)

		for n := range 20 {
			seen, next := 0, count(t, n)
			err = ordered.Run(t.Context(), workers, func(item *int) (bool, error) {
				more, err := next(item)
				if !more {
					err = boom
				}
				return more, err
			}, double, func(int) error { seen++; return nil })
			assert.ErrorIs(t, err, boom)
			assert.Equal(t, n, seen, "what came before the error is handed over")
		}

		ctx, cancel := context.WithCancelCause(t.Context())
		filled, seen := 0, 0
		err = ordered.Run(ctx, workers, func(item *int) (bool, error) {
			*item, filled = filled, filled+1
			return true, nil
		}, double, func(int) error {
			if seen++; seen == 100 {
				cancel(boom)
			}
			return nil
		})
		assert.ErrorIs(t, err, boom)
		assert.Equal(t, filled, seen, "what was filled when the context ended is handed over")
	}
}

// A panic of the caller's comes out, and the other goroutines end.
func TestPanicComesOut(t *testing.T) {
	for _, in := range []string{"work", "consume"} {
		synctest.Test(t, func(t *testing.T) {
			boom := func(of string, i int) {
				if of == in && i >= 20 {
					panic(of)
				}
			}
			next := count(t, 1e9)
			assert.PanicsWithValue(t, in, func() {
				_ = ordered.Run(t.Context(), 3, next, func(number int) func(*int) int {
					return func(i *int) int {
						if number == 0 {
							boom("work", *i)
						}
						return *i
					}
				}, func(r int) error { boom("consume", r); return nil })
			})
		})
	}
}
