package reader_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestInterleavedWriters puts a line into another one, as two processes do that
// append to one file: both are counted as broken with their place, the figures
// are those of the other lines, and nothing of the two is in them.
func TestInterleavedWriters(t *testing.T) {
	formats := map[string]func(*telemetrygen.Export) [][]byte{
		"OTLP": func(e *telemetrygen.Export) [][]byte {
			return [][]byte{e.MetricsJSON(telemetrygen.JSONOptions{}), e.SpansJSON(telemetrygen.JSONOptions{})}
		},
		"OTLP, fields reversed": func(e *telemetrygen.Export) [][]byte {
			o := telemetrygen.JSONOptions{Reverse: true, NumberInts: true, EnumNames: true, Base64IDs: true}
			return [][]byte{e.MetricsJSON(o), e.SpansJSON(o)}
		},
		"Go stdout exporters": func(e *telemetrygen.Export) [][]byte {
			return append([][]byte{e.StdoutMetrics(false)}, bytes.SplitAfter(e.StdoutSpans(false), []byte("\n"))...)
		},
		"Jaeger": func(e *telemetrygen.Export) [][]byte { return [][]byte{e.JaegerSpans(false)} },
	}
	for name, encode := range formats {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var lines [][]byte
				_, err := telemetrygen.Generate(telemetrygen.Config{
					Seed: rapid.Uint64().Draw(t, "seed"), Requests: 60, Operations: 2, Interval: time.Second / 4, Failing: 0.4,
					Delta: rapid.Bool().Draw(t, "delta"), Exponential: rapid.Bool().Draw(t, "exponential"),
				}, func(e *telemetrygen.Export) error {
					for _, line := range encode(e) {
						if len(line) > 0 {
							lines = append(lines, bytes.Clone(line))
						}
					}
					return nil
				})
				require.NoError(t, err)
				require.Greater(t, len(lines), 2)
				at := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
				one, other := lines[at], lines[at+1]
				if rapid.Bool().Draw(t, "swapped") {
					one, other = other, one
				}
				if rapid.Bool().Draw(t, "end of line later") {
					other = bytes.TrimSuffix(other, []byte("\n"))
				}
				cut := rapid.IntRange(1, len(one)-2).Draw(t, "cut")
				mixed := slices.Concat(one[:cut], other, one[cut:])
				got, err := summariseLines(t, slices.Concat(lines[:at], [][]byte{mixed}, lines[at+2:]))
				require.NoError(t, err)
				want, err := summariseLines(t, slices.Delete(lines, at, at+2))
				require.NoError(t, err)
				require.Empty(t, cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0), cmpopts.IgnoreFields(summary.Summary{}, "Input")))
				require.NotEmpty(t, got.Input.Skipped)
				assert.Equal(t, want.Input.Points, got.Input.Points)
				assert.Equal(t, want.Input.Spans, got.Input.Spans)
			})
		})
	}
}

func summariseLines(t *rapid.T, lines [][]byte) (*summary.Summary, error) {
	dir, err := os.MkdirTemp("", "lines")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "lines")
	require.NoError(t, os.WriteFile(path, slices.Concat(lines...), 0o600))
	return summarise(t, path)
}
