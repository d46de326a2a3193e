package promapi_test

import (
	"bytes"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promapi"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// program returns the path of an outside program, or skips the test; with
// RETRYKIT_REQUIRE_E2E=1 it fails instead.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatalf("%s is required: %v", name, err)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

// recording is an OpenMetrics file of a service, and when it ends.
func recording(t *testing.T, naming promname.Naming) (data []byte, end time.Time) {
	t.Helper()
	var b bytes.Buffer
	_, err := telemetrygen.Generate(telemetrygen.Config{
		Requests: 3000, Operations: 3, Restarts: 1, Explicit: true, NoSpans: true, Failing: 0.3,
	}, func(e *telemetrygen.Export) error {
		// Prometheus keeps milliseconds.
		e.Time = e.Time.Truncate(time.Millisecond)
		for i := range e.Metrics {
			for j := range e.Metrics[i].Points {
				e.Metrics[i].Points[j].Time = e.Time
			}
		}
		b.Write(bytes.TrimSuffix(e.Prom(telemetrygen.PromOptions{OpenMetrics: true, Timestamps: true, Naming: naming}), []byte("# EOF\n")))
		end = e.Time
		return nil
	})
	require.NoError(t, err)
	return b.Bytes(), end
}

// startPrometheus starts a real Prometheus that has the recording, and returns
// its URL.
func startPrometheus(t *testing.T, data []byte) string {
	t.Helper()
	promtool, prometheus := program(t, "promtool"), program(t, "prometheus")
	dir := t.TempDir()
	file := filepath.Join(dir, "recording.om")
	// promtool wants the lines of a family together and _created as a gauge of
	// its own: it is left out, since Prometheus does not use it.
	require.NoError(t, os.WriteFile(file, group(data), 0o600))
	out, err := exec.CommandContext(t.Context(), promtool, "tsdb", "create-blocks-from", "openmetrics", file, filepath.Join(dir, "data")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	config := filepath.Join(dir, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, []byte("global: {}\n"), 0o600))

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	var log bytes.Buffer
	cmd := exec.Command(prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+address)
	cmd.Stdout, cmd.Stderr = &log, &log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	url := "http://" + address
	require.Eventually(t, func() bool {
		r, err := http.Get(url + "/-/ready")
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	}, 60*time.Second, 100*time.Millisecond, "%s", &log)
	return url
}

// group sorts the lines of a recording by family, and drops _created.
func group(data []byte) []byte {
	lines := map[string][][]byte{}
	types := map[string][]byte{}
	var order []string
	family := ""
	for line := range bytes.Lines(data) {
		switch {
		case bytes.HasPrefix(line, []byte("# TYPE ")):
			family = string(bytes.Fields(line)[2])
			if types[family] == nil {
				order = append(order, family)
				types[family] = line
			}
		case line[0] == '#':
		case bytes.Contains(line, []byte("_created{")):
		default:
			lines[family] = append(lines[family], line)
		}
	}
	var out bytes.Buffer
	for _, f := range order {
		out.Write(types[f])
		for _, line := range lines[f] {
			out.Write(line)
		}
	}
	out.WriteString("# EOF\n")
	return out.Bytes()
}

func fromFile(t *testing.T, data []byte) *summary.Summary {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording.om")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	b := figures.NewBuilder(figures.Options{})
	require.NoError(t, reader.Read(t.Context(), []string{path}, b, reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)}))
	return b.Summary()
}

// TestFiguresEqualPrometheus compares every figure of the table, read from a
// file, with what a real Prometheus makes of the same data.
func TestFiguresEqualPrometheus(t *testing.T) {
	data, end := recording(t, "")
	file := fromFile(t, data)
	require.Empty(t, file.Notes)
	require.Len(t, file.Operations, 3)
	url := startPrometheus(t, data)

	s, err := promapi.Summarise(t.Context(), promapi.Options{
		Connection: promapi.Connection{URL: url}, Window: time.Hour, End: end, Timeline: true,
	})
	require.NoError(t, err)
	require.Len(t, s.Operations, len(file.Operations))
	for i := range file.Operations {
		want, got := &file.Operations[i], &s.Operations[i]
		assert.Equal(t, want.Dependency+"/"+want.Operation, got.Dependency+"/"+got.Operation)
		same(t, want.Dependency+"/"+want.Operation, &want.Figures, &got.Figures, true)
	}
	same(t, "total", &file.Total, &s.Total, false)
	require.NotEmpty(t, s.Timeline)
	var added float64
	for _, slot := range s.Timeline {
		require.NotNil(t, slot.Attempts)
		require.NotNil(t, slot.FirstSuccess)
		require.NotNil(t, slot.AddedSeconds)
		added += *slot.AddedSeconds
	}
	assert.Positive(t, added)

	t.Run("filtered", func(t *testing.T) {
		s, err := promapi.Summarise(t.Context(), promapi.Options{
			Connection: promapi.Connection{URL: url}, Window: time.Hour, End: end, Operation: []string{"operation-1"},
		})
		require.NoError(t, err)
		require.Len(t, s.Operations, 1)
		assert.Equal(t, "operation-1", s.Operations[0].Operation)
	})
	t.Run("nothing there", func(t *testing.T) {
		_, err := promapi.Summarise(t.Context(), promapi.Options{
			Connection: promapi.Connection{URL: url}, Window: time.Hour, End: end.AddDate(0, 0, 2),
		})
		assert.ErrorIs(t, err, promapi.ErrNoSeries)
	})
}

func TestNamingIsFoundOut(t *testing.T) {
	data, end := recording(t, promname.UnderscoreEscapingWithoutSuffixes)
	// Without suffixes a counter's name may not be an OpenMetrics counter's.
	data = bytes.ReplaceAll(data, []byte(" counter\n"), []byte(" unknown\n"))
	url := startPrometheus(t, data)
	n, native, err := promapi.Naming(t.Context(), promapi.Connection{URL: url}, time.Hour, end)
	require.NoError(t, err)
	assert.False(t, native)
	assert.Equal(t, promname.UnderscoreEscapingWithoutSuffixes, n)
}

// same compares every figure of the table that a summary holds.
func same(t *testing.T, name string, want, got *summary.Figures, operation bool) {
	t.Helper()
	compared := 0
	for _, f := range figures.Table() {
		if f.Value == nil || operation && f.ID == "budget_rejections" { // per dependency only
			continue
		}
		w, g := f.Value(want), f.Value(got)
		for class, v := range w {
			compared++
			other, ok := g[class]
			if !ok {
				// A share of nothing is 0 / 0 there.
				assert.Zero(t, v, "%s: %s[%s] is missing", name, f.ID, class)
				continue
			}
			assert.InDelta(t, v, other, 1e-9*math.Max(1, math.Abs(v)), "%s: %s[%s]", name, f.ID, class)
		}
	}
	assert.Greater(t, compared, 25, fmt.Sprintf("%s: figures compared", name))
	for _, o := range contract.Outcomes() {
		assert.InDelta(t, want.Outcomes[o], got.Outcomes[o], 1e-6, "%s: %s", name, o)
	}
}
