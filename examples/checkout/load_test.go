package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/examples/checkout/after"
	"github.com/retrykit/retrykit/examples/checkout/shop"
	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/examples/internal/memhttp"
	"github.com/retrykit/retrykit/otelretry"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The whole load of `make demo`, in the bubble's time.
func TestTheLoadComesOutTheSameEveryTime(t *testing.T) {
	golden := filepath.Join("testdata", "truth.golden")
	var printed bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		flaky, ledger, err := dependencies(1)
		require.NoError(t, err)
		client := memhttp.Serve(t, flaky)
		t.Cleanup(flaky.Close)
		service, err := after.NewService(memhttp.URL, client, otelretry.WithLogger(slog.New(slog.DiscardHandler)))
		require.NoError(t, err)

		start := time.Now()
		done, err := load(t.Context(), service.Checkout, 400, 50*time.Millisecond)
		require.NoError(t, err)
		assert.InDelta(t, 20, time.Since(start).Seconds(), 4, "seconds")
		require.NoError(t, truth{done, flaky.Stats(), ledger.Receipts()}.print(&printed))
	})
	if *update {
		require.NoError(t, os.WriteFile(golden, printed.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), printed.String())
}

func TestLoadStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := load(ctx, func(ctx context.Context, _ shop.Order) (shop.Receipt, error) {
			<-ctx.Done()
			return shop.Receipt{}, ctx.Err()
		}, 1000, 100*time.Millisecond)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestADoubleChargeIsAnError(t *testing.T) {
	done := checkouts{orders: 1, receipts: map[string]shop.Receipt{"o1": {}}}
	var printed bytes.Buffer
	err := truth{checkouts: done, receipts: []flakyserver.Receipt{{ID: "ch_1", Charge: flakyserver.Charge{Order: "o1"}}, {ID: "ch_2", Charge: flakyserver.Charge{Order: "o1"}}}}.print(&printed)
	require.ErrorIs(t, err, errChargedTwice)
	assert.Contains(t, printed.String(), "1 orders charged twice")
}

func TestBadFlagsAreRefused(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o644))
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"-orders", "0"}, "-orders must be at least 1"},
		{[]string{"-rate", "0"}, "-rate must be over 0"},
		{[]string{"-rate", "NaN"}, "-rate must be over 0"},
		{[]string{"extra"}, `unexpected argument "extra"`},
		{[]string{"-out", filepath.Join(blocked, "telemetry.jsonl")}, "not a directory"},
	} {
		err := run(t.Context(), tc.args, new(bytes.Buffer))
		require.ErrorContains(t, err, tc.want)
		assert.False(t, errors.Is(err, flag.ErrHelp))
	}
}
