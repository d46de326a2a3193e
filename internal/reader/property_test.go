package reader_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// encoding is a format, and what it can carry.
type encoding struct {
	name        string
	encode      func(*telemetrygen.Export) [][]byte // documents
	join        func([][]byte) []byte               // of documents to a file
	spans       bool
	metrics     bool
	exponential bool
	delta       bool
	anyOrder    bool // documents may be read in any order
	coarse      bool // times in microseconds
	noStart     bool // no start times: restarts show as falls
}

func concat(docs [][]byte) []byte { return bytes.Join(docs, nil) }

func jsonEncoding(name string, o telemetrygen.JSONOptions) encoding {
	return encoding{
		name: name, join: concat, spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
		encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.MetricsJSON(o), e.SpansJSON(o)} },
	}
}

func promEncoding(name string, o telemetrygen.PromOptions) encoding {
	return encoding{
		name: name, join: concat, metrics: true, anyOrder: o.OpenMetrics && o.Timestamps, noStart: !o.OpenMetrics,
		encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.Prom(o)} },
	}
}

func encodings() []encoding {
	all := []encoding{
		jsonEncoding("otlp-json", telemetrygen.JSONOptions{}),
		jsonEncoding("otlp-json-variant", telemetrygen.JSONOptions{NumberInts: true, EnumNames: true, OldNames: true, Base64IDs: true}),
		jsonEncoding("otlp-json-reversed", telemetrygen.JSONOptions{Reverse: true, Batches: true}),
		{
			name: "otlp-proto", join: concat, spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.MetricsProto(), e.SpansProto()} },
		},
		{
			name: "otlp-proto-backwards", join: concat, spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte {
				return [][]byte{e.MetricsProtoBackwards(), e.SpansProtoBackwards()}
			},
		},
		{
			name: "otlp-proto-prefixed", spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.MetricsProto(), e.SpansProto()} },
			join:   prefixed(func(b []byte) []byte { return b }),
		},
		{
			name: "otlp-proto-prefixed-zstd", spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.MetricsProto(), e.SpansProto()} },
			join:   prefixed(zstdBytes),
		},
		{
			name: "otlp-json-prefixed-zstd", spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte {
				return [][]byte{e.MetricsJSON(telemetrygen.JSONOptions{}), e.SpansJSON(telemetrygen.JSONOptions{})}
			},
			join: prefixed(zstdBytes),
		},
		{
			name: "jaeger", join: concat, spans: true, anyOrder: true, coarse: true,
			encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.JaegerSpans(false)} },
		},
		{
			name: "jaeger-pretty", join: concat, spans: true, anyOrder: true, coarse: true,
			encode: func(e *telemetrygen.Export) [][]byte { return [][]byte{e.JaegerSpans(true)} },
		},
		promEncoding("openmetrics", telemetrygen.PromOptions{OpenMetrics: true, Timestamps: true}),
		promEncoding("prometheus-text", telemetrygen.PromOptions{Timestamps: true}),
	}
	for _, pretty := range []bool{false, true} {
		all = append(all, encoding{
			name: fmt.Sprintf("stdout-pretty-%v", pretty), join: concat, spans: true, metrics: true, exponential: true, delta: true, anyOrder: true,
			encode: func(e *telemetrygen.Export) [][]byte {
				return [][]byte{e.StdoutMetrics(pretty), e.StdoutSpans(pretty)}
			},
		})
	}
	for _, n := range promname.All()[1:] {
		all = append(all, promEncoding("prometheus-"+string(n), telemetrygen.PromOptions{Naming: n}))
	}
	return all
}

func prefixed(wrap func([]byte) []byte) func([][]byte) []byte {
	return func(docs [][]byte) []byte {
		var out []byte
		for _, d := range docs {
			out = append(out, telemetrygen.Prefixed(wrap(d))...)
		}
		return out
	}
}

func zstdBytes(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(data, nil)
}

func gzipBytes(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

// TestReportEqualsTruth reads random request histories through every format,
// temporality, split into files, order, restart and compression.
func TestReportEqualsTruth(t *testing.T) {
	for _, enc := range encodings() {
		t.Run(enc.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				dir, err := os.MkdirTemp("", "truth")
				require.NoError(t, err)
				defer os.RemoveAll(dir)
				c := telemetrygen.Config{
					Seed:       rapid.Uint64().Draw(t, "seed"),
					Requests:   rapid.IntRange(1, 400).Draw(t, "requests"),
					Operations: rapid.IntRange(1, 4).Draw(t, "operations"),
					Replicas:   rapid.IntRange(1, 3).Draw(t, "replicas"),
					Restarts:   rapid.IntRange(0, 3).Draw(t, "restarts"),
					Interval:   time.Duration(rapid.IntRange(1, 10).Draw(t, "interval")) * time.Second,
					Failing:    rapid.Float64Range(0.01, 0.9).Draw(t, "failing"),
					Noise:      rapid.IntRange(0, 2).Draw(t, "noise"),
				}
				c.Delta = enc.delta && rapid.Bool().Draw(t, "delta")
				c.Exponential = enc.exponential && rapid.Bool().Draw(t, "exponential")
				c.NoMetrics = !enc.metrics || enc.spans && rapid.Bool().Draw(t, "spans alone")
				c.NoSpans = !enc.spans || !c.NoMetrics && rapid.Bool().Draw(t, "metrics alone")
				if enc.noStart {
					// A restart that comes back above the old value before it is
					// scraped can't be seen without a start time.
					c.Restarts = 0
				}
				var docs [][]byte
				truth, err := telemetrygen.Generate(c, func(e *telemetrygen.Export) error {
					for _, d := range enc.encode(e) {
						if len(d) > 0 {
							docs = append(docs, d)
						}
					}
					return nil
				})
				require.NoError(t, err)
				if enc.anyOrder && rapid.Bool().Draw(t, "shuffled") {
					docs = rapid.Permutation(docs).Draw(t, "order")
				}
				var paths []string
				files := 1
				if len(docs) > 0 {
					files = rapid.IntRange(1, min(3, len(docs))).Draw(t, "files")
				}
				for i := range files {
					data := enc.join(docs[i*len(docs)/files : (i+1)*len(docs)/files])
					switch rapid.SampledFrom([]string{"plain", "gzip", "zstd", "zstd in gzip"}).Draw(t, "compression") {
					case "gzip":
						data = gzipBytes(data)
					case "zstd":
						data = zstdBytes(data)
					case "zstd in gzip":
						data = gzipBytes(zstdBytes(data))
					}
					path := filepath.Join(dir, fmt.Sprint(i))
					require.NoError(t, os.WriteFile(path, data, 0o600))
					paths = append(paths, path)
				}
				if enc.anyOrder && rapid.Bool().Draw(t, "files reversed") {
					for i, j := 0, len(paths)-1; i < j; i, j = i+1, j-1 {
						paths[i], paths[j] = paths[j], paths[i]
					}
				}
				s, err := summarise(t, paths...)
				require.NoError(t, err)
				require.Empty(t, s.Input.Skipped)
				assertTruth(t, truth, s, enc.coarse)
			})
		})
	}
}
