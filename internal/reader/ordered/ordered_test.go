package ordered_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/internal/reader/ordered"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func count(n int) func(func(int) error) error {
	return func(emit func(int) error) error {
		for i := range n {
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
}

func double() func(int) int { return func(i int) int { return 2 * i } }

func TestOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		var got []int
		err := ordered.Run(t.Context(), workers, count(1000), double, func(r int) error {
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

func TestErrorsEndEverything(t *testing.T) {
	boom := errors.New("boom")
	err := ordered.Run(t.Context(), 3, count(1e9), double, func(r int) error {
		if r == 10 {
			return boom
		}
		return nil
	})
	assert.ErrorIs(t, err, boom)

	seen := 0
	err = ordered.Run(t.Context(), 3, func(emit func(int) error) error {
		if err := emit(1); err != nil {
			return err
		}
		return boom
	}, double, func(int) error { seen++; return nil })
	assert.ErrorIs(t, err, boom)
	assert.Equal(t, 1, seen, "what came before the error is handed over")

	ctx, cancel := context.WithCancel(t.Context())
	err = ordered.Run(ctx, 2, count(1e9), double, func(int) error { cancel(); return nil })
	assert.ErrorIs(t, err, context.Canceled)
}
