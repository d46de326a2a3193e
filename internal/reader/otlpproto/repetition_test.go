package otlpproto

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// FuzzRepetition decodes a message with a decoder that remembers others, and
// itself, and with one that remembers nothing: both must find the same.
func FuzzRepetition(f *testing.F) {
	var before [][]byte
	for _, exponential := range []bool{false, true} {
		_, err := telemetrygen.Generate(telemetrygen.Config{Requests: 4, Operations: 2, Exponential: exponential}, func(e *telemetrygen.Export) error {
			for _, m := range [][]byte{e.MetricsProto(), e.SpansProto(), e.MetricsProtoBackwards(), e.SpansProtoBackwards()} {
				if len(m) > 0 {
					before = append(before, m)
					f.Add(m)
				}
			}
			return nil
		})
		require.NoError(f, err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		registry := telemetry.NewRegistry(dialect.Catalog(), 0)
		used := New(registry)
		for _, m := range before {
			require.NoError(t, used.Message(m, &telemetry.Batch{}, ""))
		}
		want := decoded(New(registry), data)
		for range 2 {
			require.Equal(t, want, decoded(used, data))
		}
	})
}

// decoded is what a message holds, in a form in which NaN equals itself.
func decoded(d *Decoder, data []byte) string {
	var b telemetry.Batch
	err := d.Message(data, &b, "")
	out := fmt.Sprintln(err, b.Points, b.SpanN, b.Skips, b.Spans)
	for _, s := range b.Samples {
		out += fmt.Sprintln(s.Stream.ID, s)
	}
	return out
}
