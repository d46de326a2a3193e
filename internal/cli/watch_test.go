package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestWatchMovesItsWindow lets a file grow by what is measured while the clock
// goes on: each report is the one that the files have of the window then.
func TestWatchMovesItsWindow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "telemetry.jsonl")
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var exports []string
		var times []time.Duration
		_, err := telemetrygen.Generate(telemetrygen.Config{Requests: 6000, Start: start, Interval: 10 * time.Second, Failing: 0.2}, func(e *telemetrygen.Export) error {
			exports = append(exports, string(e.MetricsJSON(telemetrygen.JSONOptions{}))+string(e.SpansJSON(telemetrygen.JSONOptions{})))
			times = append(times, time.Duration(len(exports))*10*time.Second)
			return nil
		})
		require.NoError(t, err)
		require.Greater(t, len(exports), 8)
		out := &watched{t: t, path: path, start: start, exports: exports, times: times}
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		out.grow()
		code := cli.Main(t.Context(), []string{"watch", "--since", "30s", "--interval", "7s", "--rounds", "12", path}, cli.Env{Stdout: out, Stderr: out})
		assert.Equal(t, 0, code)
		assert.Equal(t, 12, out.reports)
		assert.Greater(t, out.measured, 7)
	})
}

// watched is where a report goes: it holds it against one that is read anew,
// and lets the file grow by what was exported meanwhile.
type watched struct {
	t        *testing.T
	path     string
	start    time.Time
	exports  []string
	times    []time.Duration
	written  int
	reports  int
	measured int // of them
}

func (w *watched) Write(p []byte) (int, error) {
	_, want, stderr := run(w.t, "", "report", "--since", "30s", w.path)
	if strings.Contains(want, "dependency-0") {
		w.measured++
	}
	assert.Equal(w.t, want+stderr, strings.TrimPrefix(string(p), "\n"), "report %d", w.reports)
	w.reports++
	w.grow()
	return len(p), nil
}

func (w *watched) grow() {
	f, err := os.OpenFile(w.path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(w.t, err)
	defer f.Close()
	for ; w.written < len(w.exports) && (w.written == 0 || w.times[w.written] <= time.Since(w.start)); w.written++ {
		_, err := f.WriteString(w.exports[w.written])
		require.NoError(w.t, err)
	}
}

// What was read is not read again: a file that grows where it was read already
// is noticed by its last bytes only.
func TestWatchReadsOnlyWhatIsNewOfAMovingWindow(t *testing.T) {
	data := generated(t, telemetrygen.Config{Requests: 4000, Start: time.Now().Add(-time.Hour)})
	path := filepath.Join(t.TempDir(), "telemetry.jsonl")
	require.NoError(t, os.WriteFile(path, data[:len(data)/2], 0o600))
	// The first line, long before the end, becomes one that is no JSON.
	changed := append(bytes.Repeat([]byte("x"), bytes.IndexByte(data, '\n')), data[bytes.IndexByte(data, '\n'):]...)
	out := &growing{path: path, more: changed}
	code := cli.Main(t.Context(), []string{"watch", "--since", "24h", "--interval", "100ms", "--rounds", "2", path}, cli.Env{Stdout: out, Stderr: out})
	assert.Equal(t, 0, code)
	assert.NotContains(t, out.String(), "not JSON")
}
