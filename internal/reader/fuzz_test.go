package reader_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// seeds adds the fixtures and one small file of every format.
func seeds(f *testing.F, keep func(name string) bool) {
	require.NoError(f, filepath.WalkDir("../../testdata/telemetry", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "golden") {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && keep(path) {
			f.Add(data)
		}
		return err
	}))
	for _, enc := range encodings() {
		if !keep(enc.name) {
			continue
		}
		for _, exponential := range []bool{false, true} {
			var docs [][]byte
			_, err := telemetrygen.Generate(telemetrygen.Config{Requests: 3, Operations: 1, Exponential: exponential && enc.exponential}, func(e *telemetrygen.Export) error {
				for _, d := range enc.encode(e) {
					if len(d) > 0 {
						docs = append(docs, d)
					}
				}
				return nil
			})
			require.NoError(f, err)
			f.Add(enc.join(docs))
		}
	}
}

// read reads hostile input: it may fail, and must neither panic nor show
// figures that cannot be.
func read(t *testing.T, data []byte) {
	b := figures.NewBuilder(figures.Options{})
	_ = reader.Read(t.Context(), []string{"-"}, b, reader.Options{
		Stdin: bytes.NewReader(data), Workers: 1, Registry: telemetry.NewRegistry(dialect.Catalog(), 1000),
	})
	s := b.Summary()
	if _, err := json.Marshal(s); err != nil { // of a number that is none
		t.Error(err)
	}
	possible(t, "total", &s.Total)
	for _, op := range s.Operations {
		possible(t, op.Name(), &op.Figures)
	}
}

// possible reports figures that no telemetry can have.
func possible(t *testing.T, name string, f *summary.Figures) {
	t.Helper()
	const more = 1 + 1e-9 // rounded
	for what, x := range map[string]struct {
		v    *float64
		most float64
	}{
		"requests": {f.Requests, math.MaxFloat64}, "attempts": {f.Attempts, math.MaxFloat64}, "attempts per request": {f.AttemptsPerRequest, math.MaxFloat64},
		"first-attempt success": {f.FirstAttemptSuccess, more}, "eventual success": {f.EventualSuccess, more},
	} {
		if x.v != nil && !(*x.v >= 0 && *x.v <= x.most) {
			t.Errorf("%s: %s is %v", name, what, *x.v)
		}
	}
	for what, counts := range map[string]map[string]float64{"outcomes": f.Outcomes, "retries": f.RetriesByClass} {
		for class, n := range counts {
			if !(n >= 0) {
				t.Errorf("%s: %s, %s: %v", name, what, class, n)
			}
		}
	}
	for what, d := range map[string]*summary.Distribution{"added latency": f.AddedLatency, "request duration": f.RequestDuration} {
		if d != nil && d.Mean != nil && !(*d.Mean >= 0) {
			t.Errorf("%s: mean %s is %v", name, what, *d.Mean)
		}
		if d != nil && d.P50 != nil && d.P99 != nil && *d.P50 > *d.P99*more && *d.P99 >= 0 {
			t.Errorf("%s: %s falls from %v to %v", name, what, *d.P50, *d.P99)
		}
	}
}

func FuzzJSON(f *testing.F) {
	seeds(f, func(name string) bool {
		return strings.Contains(name, "json") && !strings.Contains(name, "prefixed") || strings.Contains(name, "stdout") || strings.Contains(name, "jaeger")
	})
	f.Add([]byte(strings.Repeat(`{"resourceMetrics":[`, 1000)))
	f.Add([]byte("\n\n\n\n\n\n\n\n{\"resourceSpans\":[]}\n"))
	f.Add([]byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"otelretry.requests","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{"asDouble":"NaN","timeUnixNano":"-1"},{"asInt":"99999999999999999999"}]}}]}]}]}`))
	f.Fuzz(read)
}

func FuzzProtobuf(f *testing.F) {
	seeds(f, func(name string) bool { return strings.Contains(name, "proto") || strings.Contains(name, "prefixed") })
	f.Add([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0a})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0a, 0x02, 0x0a, 0x00, 0x00})
	f.Fuzz(read)
}

func FuzzPrometheus(f *testing.F) {
	seeds(f, func(name string) bool { return strings.Contains(name, "prom") || strings.Contains(name, "openmetrics") })
	f.Add([]byte("# TYPE otelretry_requests_total counter\notelretry_requests_total{a=\"\\"))
	f.Add([]byte("otelretry_request_duration_seconds_bucket{le=\"x\"} 1e400\notelretry_request_duration_seconds_count NaN\n"))
	f.Fuzz(read)
}

func FuzzCompressed(f *testing.F) {
	seeds(f, func(name string) bool { return name == "otlp-json" })
	f.Add(gzipBytes(zstdBytes([]byte(`{"resourceSpans":[]}`))))
	f.Add(zstdBytes(gzipBytes([]byte("# EOF\n"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		read(t, data)
		read(t, gzipBytes(data))
		read(t, zstdBytes(data))
	})
}

// TestHostileInputStaysSmall reads input made to use up memory.
func TestHostileInputStaysSmall(t *testing.T) {
	line := `{"resourceMetrics":[{"resource":{},"scopeMetrics":[{"scope":{},"metrics":[{"name":"otelretry.requests","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[`
	var many bytes.Buffer
	many.WriteString(line)
	for i := range 50_000 {
		if i > 0 {
			many.WriteByte(',')
		}
		many.WriteString(`{"attributes":[{"key":"retry.operation","value":{"stringValue":"`)
		many.WriteString(strings.Repeat("x", i%7))
		many.WriteString(string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576)))
		many.WriteString(`"}}],"startTimeUnixNano":"1","timeUnixNano":"2","asInt":"1"}`)
	}
	many.WriteString("]}}]}]}]}\n")
	tests := map[string]struct {
		data []byte
		want string
	}{
		"gzip bomb":      {gzipBytes(gzipBytes(bytes.Repeat([]byte{' '}, 72<<20))), "expands too far"},
		"zstd bomb":      {zstdBytes(bytes.Repeat([]byte{' '}, 72<<20)), "expands too far"},
		"nested":         {gzipBytes(gzipBytes(gzipBytes(gzipBytes(gzipBytes([]byte("{}")))))), "times over"},
		"length lies":    {append([]byte{0x0a, 0xff, 0xff, 0xff, 0x7f, 0x0a}, bytes.Repeat([]byte{0x0a}, 100)...), "whose length lies"},
		"deep":           {[]byte(strings.Repeat(`{"trace":`, 1<<20)), "truncated JSON"},
		"many series":    {many.Bytes(), ""},
		"NULs, no lines": {append(make([]byte, 16<<20), []byte(`{"a":1}`)...), "no telemetry"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			b := figures.NewBuilder(figures.Options{})
			err := reader.Read(t.Context(), []string{"-"}, b, reader.Options{
				Stdin: bytes.NewReader(tt.data), Workers: 1, Registry: telemetry.NewRegistry(dialect.Catalog(), 1000),
			})
			runtime.ReadMemStats(&after)
			s := b.Summary()
			if tt.want != "" {
				require.ErrorContains(t, err, tt.want)
			} else {
				require.NoError(t, err)
				require.Contains(t, s.Input.Skipped[0].Reason, "limit on streams")
				require.EqualValues(t, 49_000, s.Input.Skipped[0].Count)
			}
			require.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(256<<20))
		})
	}
}
