package reader_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestAMovingWindowEqualsReadingAnew lets files grow while the window moves on:
// each report is the one that reading all of them with that window gives.
func TestAMovingWindowEqualsReadingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "moving")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		var files [2][]byte
		for i := range files { // of different processes: two writers of one identity depend on who is read first
			data := bytes.NewBufferString("{\"resourceSpans\":[]}\n")
			_, err = telemetrygen.Generate(telemetrygen.Config{
				Seed: rapid.Uint64().Draw(t, "seed"), Requests: rapid.IntRange(1, 300).Draw(t, "requests"), Operations: 1 + i, Start: begin,
				Restarts: rapid.IntRange(0, 2).Draw(t, "restarts"), Delta: rapid.Bool().Draw(t, "delta"), Interval: time.Second, Replicas: 2 + i, First: 10 * i,
				Exponential: rapid.Bool().Draw(t, "exponential"), NoMetrics: rapid.Bool().Draw(t, "spans alone"), Failing: 0.3,
			}, func(e *telemetrygen.Export) error {
				data.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
				data.Write(e.SpansJSON(telemetrygen.JSONOptions{}))
				data.WriteString("oops\n")
				return nil
			})
			require.NoError(t, err)
			files[i] = data.Bytes()
		}
		paths := []string{filepath.Join(dir, "0"), filepath.Join(dir, "1")}
		sizes := [2]int{bytes.IndexByte(files[0], '\n') + 1, bytes.IndexByte(files[1], '\n') + 1}
		var written [2]int
		moves := figures.Moves{Since: rapid.Bool().Draw(t, "since moves"), Until: rapid.Bool().Draw(t, "until moves")}
		width := time.Duration(rapid.IntRange(1, 20).Draw(t, "width")) * time.Second
		options := reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)}
		var tail reader.Tail
		var window *figures.Moving
		for now := begin; ; now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "later")) * time.Millisecond) {
			o := figures.Options{Since: begin.Add(3 * time.Second)}
			if moves.Since {
				o.Since = now.Add(-width)
			}
			if moves.Until {
				o.Until = now
			}
			if window == nil {
				window = figures.NewMoving(o, moves, 1<<40)
			} else {
				require.True(t, window.Move(o, moves))
			}
			for i, path := range paths {
				if sizes[i] != written[i] {
					require.NoError(t, os.WriteFile(path, files[i][:sizes[i]], 0o600))
					written[i] = sizes[i]
				}
			}
			require.NoError(t, tail.Read(t.Context(), paths, window, options))

			whole := figures.NewBuilder(o)
			var unfinished reader.Tail // so that no half of a line is read
			require.NoError(t, unfinished.Read(t.Context(), paths, whole, reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)}))
			want, got := whole.Summary(), window.Builder().Summary()
			// Sums of floating-point numbers depend on the order in which streams were met.
			require.Empty(t, cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 1e-9), cmpopts.IgnoreFields(summary.Skipped{}, "Example")))
			if sizes[0] == len(files[0]) && sizes[1] == len(files[1]) && now.Sub(begin) > time.Minute {
				return
			}
			for i := range sizes {
				sizes[i] = min(len(files[i]), sizes[i]+rapid.IntRange(0, 60_000).Draw(t, "more"))
			}
		}
	})
}

func TestAWindowDoesNotMoveBack(t *testing.T) {
	o := figures.Options{Since: time.Unix(100, 0)}
	window := figures.NewMoving(o, figures.Moves{Since: true}, 0)
	assert.True(t, window.Move(o, figures.Moves{Since: true}))
	o.Since = time.Unix(99, 0)
	assert.False(t, window.Move(o, figures.Moves{Since: true}))
}
