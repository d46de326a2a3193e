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
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestTailEqualsReadingAnew lets files grow by any number of bytes: what was
// read bit by bit is what reading all of it gives, up to the last line's end.
func TestTailEqualsReadingAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "tail")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		data := bytes.NewBufferString("{\"resourceSpans\":[]}\n")
		_, err = telemetrygen.Generate(telemetrygen.Config{
			Seed: rapid.Uint64().Draw(t, "seed"), Requests: rapid.IntRange(1, 200).Draw(t, "requests"), Operations: 2,
			Restarts: rapid.IntRange(0, 2).Draw(t, "restarts"), Delta: rapid.Bool().Draw(t, "delta"), Interval: time.Second,
			Exponential: rapid.Bool().Draw(t, "exponential"), NoMetrics: rapid.Bool().Draw(t, "spans alone"), Failing: 0.3,
		}, func(e *telemetrygen.Export) error {
			data.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
			data.Write(e.SpansJSON(telemetrygen.JSONOptions{}))
			data.WriteString("oops\n")
			return nil
		})
		require.NoError(t, err)
		all := data.Bytes()
		path, whole := filepath.Join(dir, "growing"), filepath.Join(dir, "whole")
		b := figures.NewBuilder(figures.Options{})
		options := reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)}
		var tail reader.Tail
		for size := bytes.IndexByte(all, '\n') + 1; ; size = min(len(all), size+rapid.IntRange(1000, 40_000).Draw(t, "more")) {
			require.NoError(t, os.WriteFile(path, all[:size], 0o600))
			require.NoError(t, tail.Read(t.Context(), []string{path}, b, options))
			end := bytes.LastIndexByte(all[:size], '\n') + 1
			require.NoError(t, os.WriteFile(whole, all[:end], 0o600))
			want, err := summarise(t, whole)
			require.NoError(t, err)
			got := b.Clone().Summary()
			for i := range got.Input.Skipped {
				got.Input.Skipped[i].Example = whole + got.Input.Skipped[i].Example[len(path):]
			}
			// Sums of floating-point numbers depend on the order in which streams were met.
			require.Empty(t, cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)))
			require.Equal(t, end < size, len(tail.Unfinished()) == 1)
			if size == len(all) {
				return
			}
		}
	})
}

func TestTailRestarts(t *testing.T) {
	lines := func(requests int) []byte {
		var data bytes.Buffer
		_, err := telemetrygen.Generate(telemetrygen.Config{Requests: requests}, func(e *telemetrygen.Export) error {
			data.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
			return nil
		})
		require.NoError(t, err)
		return data.Bytes()
	}
	first := lines(2000)
	for name, tt := range map[string]struct {
		before  []byte
		change  func(path string) error
		restart bool
	}{
		"nothing":    {first, func(string) error { return nil }, false},
		"grown":      {first[:bytes.IndexByte(first, '\n')+1], func(path string) error { return os.WriteFile(path, first, 0o600) }, false},
		"cut":        {first, func(path string) error { return os.Truncate(path, 100) }, true},
		"taken away": {first, os.Remove, true},
		"rotated": {first, func(path string) error {
			if err := os.Rename(path, path+".1"); err != nil {
				return err
			}
			return os.WriteFile(path, append(first, first...), 0o600)
		}, true},
		"written over": {first, func(path string) error {
			if err := os.WriteFile(path, bytes.ReplaceAll(first, []byte("503"), []byte("500")), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute))
		}, true},
		"written over by more": {first, func(path string) error {
			return os.WriteFile(path, append(lines(300), lines(2500)...), 0o600)
		}, true},
		"compressed": {gzipBytes(first), func(path string) error { return os.WriteFile(path, gzipBytes(lines(3000)), 0o600) }, true},
		"a document over lines": {bytes.Replace(first, []byte("{"), []byte("{\n"), 1), func(path string) error {
			return os.WriteFile(path, append(first, first...), 0o600)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, "telemetry.jsonl", tt.before)
			var tail reader.Tail
			options := reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)}
			require.NoError(t, tail.Read(t.Context(), []string{path}, figures.NewBuilder(figures.Options{}), options))
			require.NoError(t, tt.change(path))
			err := tail.Read(t.Context(), []string{path}, figures.NewBuilder(figures.Options{}), options)
			if tt.restart {
				assert.ErrorIs(t, err, reader.ErrRestart)
			} else {
				assert.NoError(t, err)
			}
		})
	}
}
