package otlpjson

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// FuzzRepetition decodes a list of resources with a decoder that remembers
// others, and itself, and with one that remembers nothing: both must find the
// same.
func FuzzRepetition(f *testing.F) {
	var before [][]byte
	add := func(line []byte) {
		var s jsonscan.Scanner
		s.Init(line)
		if len(line) == 0 || !s.Object() {
			return
		}
		if _, ok := s.Key(); ok {
			list := s.Raw()
			before = append(before, list)
			f.Add(list)
		}
	}
	for _, o := range []telemetrygen.JSONOptions{{}, {NumberInts: true, EnumNames: true}, {Reverse: true}} {
		_, err := telemetrygen.Generate(telemetrygen.Config{Requests: 4, Operations: 2}, func(e *telemetrygen.Export) error {
			add(e.MetricsJSON(o))
			add(e.SpansJSON(o))
			return nil
		})
		require.NoError(f, err)
	}
	require.NotEmpty(f, before)
	f.Fuzz(func(t *testing.T, data []byte) {
		registry := telemetry.NewRegistry(dialect.Catalog(), 0)
		used := New(registry)
		for _, list := range before {
			decoded(used, list)
		}
		want := decoded(New(registry), data)
		for range 2 {
			require.Equal(t, want, decoded(used, data))
		}
	})
}

// decoded is what a list holds, taken for metrics and for spans, in a form in
// which NaN equals itself.
func decoded(d *Decoder, data []byte) (out string) {
	for _, read := range []func(*jsonscan.Scanner, *telemetry.Batch, string){d.Metrics, d.Spans} {
		var s jsonscan.Scanner
		var b telemetry.Batch
		s.Init(data)
		read(&s, &b, "")
		out += fmt.Sprintln(s.Err(), s.Pos(), b.Points, b.SpanN, b.Skips, b.Spans)
		for _, x := range b.Samples {
			out += fmt.Sprintln(x.Stream, x)
		}
	}
	return out
}
