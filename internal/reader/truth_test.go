package reader_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// testingT is what *testing.T and *rapid.T have in common.
type testingT interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
	Context() context.Context
}

// summarise reads files and returns their summary.
func summarise(t testingT, paths ...string) (*summary.Summary, error) {
	t.Helper()
	b := figures.NewBuilder(figures.Options{})
	err := reader.Read(t.Context(), paths, b, reader.Options{Registry: telemetry.NewRegistry(dialect.Catalog(), 0)})
	return b.Summary(), err
}

func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// assertTruth compares a summary with what was generated.
func assertTruth(t testingT, truth map[telemetrygen.Key]*telemetrygen.Truth, s *summary.Summary, coarse bool) {
	t.Helper()
	if s.Refused {
		t.Errorf("refused: %v", s.Notes)
	}
	byKey := map[telemetrygen.Key]*summary.Operation{}
	for i := range s.Operations {
		op := &s.Operations[i]
		byKey[telemetrygen.Key{Dependency: op.Dependency, Operation: op.Operation}] = op
	}
	total := &telemetrygen.Truth{Outcomes: map[string]int{}, Retries: map[string]int{}, Retried: map[string]int{}, Saved: map[string]int{}}
	for key, want := range truth {
		op := byKey[key]
		if op == nil {
			if want.Requests() > 0 {
				t.Errorf("%v is missing", key)
			}
			continue
		}
		assertFigures(t, fmt.Sprint(key), want, &op.Figures, coarse)
		total.Attempts += want.Attempts
		total.Added += want.Added
		total.Duration += want.Duration
		for into, from := range map[*map[string]int]map[string]int{&total.Outcomes: want.Outcomes, &total.Retries: want.Retries, &total.Retried: want.Retried, &total.Saved: want.Saved} {
			for k, n := range from {
				(*into)[k] += n
			}
		}
	}
	assertFigures(t, "total", total, &s.Total, coarse)
}

func assertFigures(t testingT, name string, want *telemetrygen.Truth, got *summary.Figures, coarse bool) {
	t.Helper()
	within := 1e-9
	if coarse {
		within = 1e-5 // its times are whole microseconds
	}
	near := func(what string, want float64, got *float64) {
		t.Helper()
		if got == nil {
			t.Errorf("%s: %s is unknown, want %v", name, what, want)
		} else if math.Abs(want-*got) > within*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: %s = %v, want %v", name, what, *got, want)
		}
	}
	counts := func(what string, want map[string]int, got map[string]float64) {
		t.Helper()
		if got == nil {
			t.Errorf("%s: %s are unknown", name, what)
			return
		}
		g := map[string]int{}
		for k, n := range got {
			if n != 0 {
				g[k] = int(n)
			}
		}
		w := maps.Clone(want)
		maps.DeleteFunc(w, func(_ string, n int) bool { return n == 0 })
		assert.Equal(t, w, g, "%s: %s", name, what)
	}
	requests := float64(want.Requests())
	near("requests", requests, got.Requests)
	near("attempts", float64(want.Attempts), got.Attempts)
	counts("outcomes", want.Outcomes, got.Outcomes)
	counts("retries", want.Retries, got.RetriesByClass)
	counts("retried", want.Retried, got.Retried)
	counts("saved", want.Saved, got.Saved)
	if requests == 0 {
		return
	}
	near("attempts per request", float64(want.Attempts)/requests, got.AttemptsPerRequest)
	eligible := requests - float64(want.Outcomes[contract.Canceled])
	if eligible > 0 {
		near("first-attempt success", float64(want.Outcomes[contract.FirstAttemptSuccess])/eligible, got.FirstAttemptSuccess)
		near("eventual success", float64(want.Outcomes[contract.FirstAttemptSuccess]+want.Outcomes[contract.RetriedSuccess])/eligible, got.EventualSuccess)
	}
	if assert.NotNil(t, got.AddedLatency, name) {
		near("added latency", want.Added/requests, got.AddedLatency.Mean)
	}
	if assert.NotNil(t, got.RequestDuration, name) {
		near("duration", want.Duration/requests, got.RequestDuration.Mean)
	}
}

func TestTruthFromOTLPJSON(t *testing.T) {
	tests := map[string]struct {
		config  telemetrygen.Config
		options telemetrygen.JSONOptions
	}{
		"cumulative":      {config: telemetrygen.Config{}},
		"delta":           {config: telemetrygen.Config{Delta: true}},
		"restarts":        {config: telemetrygen.Config{Restarts: 3, Replicas: 3, Requests: 3000}},
		"exponential":     {config: telemetrygen.Config{Exponential: true, Restarts: 1}},
		"delta, exp":      {config: telemetrygen.Config{Exponential: true, Delta: true, Replicas: 2}},
		"spans alone":     {config: telemetrygen.Config{NoMetrics: true}},
		"metrics alone":   {config: telemetrygen.Config{NoSpans: true, Noise: 5}},
		"numbers":         {options: telemetrygen.JSONOptions{NumberInts: true, EnumNames: true}},
		"old names":       {options: telemetrygen.JSONOptions{OldNames: true, Base64IDs: true, Batches: true}},
		"reversed fields": {options: telemetrygen.JSONOptions{Reverse: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var data bytes.Buffer
			truth, err := telemetrygen.Generate(tt.config, func(e *telemetrygen.Export) error {
				data.Write(e.MetricsJSON(tt.options))
				data.Write(e.SpansJSON(tt.options))
				return nil
			})
			require.NoError(t, err)
			s, err := summarise(t, writeFile(t, "telemetry.jsonl", data.Bytes()))
			require.NoError(t, err)
			assertTruth(t, truth, s, false)
			assert.Empty(t, s.Input.Skipped)
			assert.Empty(t, s.Notes)
		})
	}
}

// TestBlankLinesAreNoProtobuf reads files whose first bytes, ends of lines, are
// those of protobuf too.
func TestBlankLinesAreNoProtobuf(t *testing.T) {
	var data bytes.Buffer
	data.WriteString("\n\n\n\n\n\n\n\n\n\n\n\n\n")
	truth, err := telemetrygen.Generate(telemetrygen.Config{Requests: 50}, func(e *telemetrygen.Export) error {
		data.Write(e.MetricsJSON(telemetrygen.JSONOptions{}))
		return nil
	})
	require.NoError(t, err)
	s, err := summarise(t, writeFile(t, "telemetry.jsonl", data.Bytes()))
	require.NoError(t, err)
	assert.Empty(t, s.Input.Skipped)
	assertTruth(t, truth, s, false)

	_, err = summarise(t, writeFile(t, "blank", bytes.Repeat([]byte("\n"), 10_000)))
	assert.ErrorContains(t, err, "no telemetry in it")
	_, err = summarise(t, writeFile(t, "blank", bytes.Repeat([]byte("\n"), 100)))
	assert.ErrorContains(t, err, "nothing to read")
}

// TestOtherLinesBeforeTheFirstDocument are counted, however many there are;
// what has nothing else is no telemetry, and told in one line.
func TestOtherLinesBeforeTheFirstDocument(t *testing.T) {
	chatter := bytes.Repeat([]byte("starting, and {this} is no document\n\n  [nor this]\n"), 1000)
	for name, document := range map[string]string{"a line": one, "over lines": strings.Replace(one, "{", "{\n", 1)} {
		s, err := summarise(t, writeFile(t, "log", append(chatter[:len(chatter):len(chatter)], document...)))
		require.NoError(t, err, name)
		require.Len(t, s.Input.Skipped, 1, name)
		assert.EqualValues(t, 2000, s.Input.Skipped[0].Count, name)
		assert.Equal(t, "line that is not JSON", s.Input.Skipped[0].Reason, name)
		assert.True(t, strings.HasSuffix(s.Input.Skipped[0].Example, "log:1"), s.Input.Skipped[0].Example)
		assert.EqualValues(t, len(chatter)+len(document), s.Input.Bytes, name)
		assert.Equal(t, 5.0, *s.Total.Requests, name)
	}
	s, err := summarise(t, writeFile(t, "log", chatter))
	require.ErrorContains(t, err, "no telemetry in it")
	assert.Empty(t, s.Input.Skipped)
}

// TestByteOrderMarks begins text with one, and each of two texts in a row.
func TestByteOrderMarks(t *testing.T) {
	const prom = "# TYPE otelretry_requests_total counter\notelretry_requests_total{retry_outcome=\"first_attempt_success\"} 5\n"
	_, bare, _ := strings.Cut(prom, "\n")
	later := strings.NewReplacer(`"timeUnixNano":"2"`, `"timeUnixNano":"4"`, `"asInt":"5"`, `"asInt":"10"`).Replace(one)
	for name, tt := range map[string]struct {
		texts []string
		want  float64
	}{
		"a document a line":      {[]string{one, later}, 10},
		"a document over lines":  {[]string{strings.ReplaceAll(one, ",", ",\n"), strings.ReplaceAll(later, ",", ",\n")}, 10},
		"a document in brackets": {[]string{"[" + strings.TrimSpace(one) + "]\n", "[" + strings.TrimSpace(later) + "]\n"}, 10},
		"Prometheus text":        {[]string{prom, prom}, 5},
		"without a comment":      {[]string{bare, bare}, 5},
	} {
		for _, texts := range [][]string{tt.texts[:1], tt.texts} {
			t.Run(fmt.Sprintf("%s, %d", name, len(texts)), func(t *testing.T) {
				s, err := summarise(t, writeFile(t, "marked", []byte("\ufeff"+strings.Join(texts, "\ufeff"))))
				require.NoError(t, err)
				assert.Empty(t, s.Input.Skipped)
				want := tt.want
				if len(texts) == 1 {
					want = 5
				}
				assert.Equal(t, want, *s.Total.Requests)
			})
		}
	}
}

// TestAFileIsReadOnce names a file twice, by a link, and within its directory.
func TestAFileIsReadOnce(t *testing.T) {
	var data bytes.Buffer
	truth, err := telemetrygen.Generate(telemetrygen.Config{NoMetrics: true}, func(e *telemetrygen.Export) error {
		data.Write(e.SpansJSON(telemetrygen.JSONOptions{}))
		return nil
	})
	require.NoError(t, err)
	path := writeFile(t, "telemetry.jsonl", data.Bytes())
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Link(path, link))
	s, err := summarise(t, path, path, link, filepath.Dir(path))
	require.NoError(t, err)
	assertTruth(t, truth, s, false)
	require.Len(t, s.Input.Skipped, 1)
	assert.EqualValues(t, 3, s.Input.Skipped[0].Count)
	assert.Equal(t, "file that was read already", s.Input.Skipped[0].Reason)
}
