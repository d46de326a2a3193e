package reader_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/telemetry"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// slowly hands over a few bytes at a time, as a pipe does.
type slowly struct {
	r io.Reader
	n int
}

func (s slowly) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.n)]) }

// TestFilesOfManyChunks reads files that are cut into many stretches: of
// documents much shorter than one, and of such as are longer.
func TestFilesOfManyChunks(t *testing.T) {
	requests := 2500
	if testing.Short() {
		requests = 500
	}
	for _, enc := range encodings() {
		for _, interval := range []time.Duration{time.Second, time.Hour} {
			t.Run(fmt.Sprintf("%s, exported every %s", enc.name, interval), func(t *testing.T) {
				t.Parallel()
				var docs [][]byte
				truth, err := telemetrygen.Generate(telemetrygen.Config{
					Seed: 5, Requests: requests, Operations: 4, Replicas: 2, Interval: interval, Failing: 0.2, NoMetrics: !enc.metrics, NoSpans: !enc.spans,
				}, func(e *telemetrygen.Export) error {
					for _, d := range enc.encode(e) {
						if len(d) > 0 {
							docs = append(docs, bytes.Clone(d))
						}
					}
					return nil
				})
				require.NoError(t, err)
				data := enc.join(docs)
				for _, in := range []io.Reader{bytes.NewReader(data), slowly{bytes.NewReader(data), 4093}} {
					b := figures.NewBuilder(figures.Options{})
					err := reader.Read(t.Context(), []string{"-"}, b, reader.Options{Stdin: in, Workers: 2, Registry: telemetry.NewRegistry(dialect.Catalog(), 0)})
					require.NoError(t, err)
					s := b.Summary()
					assert.Empty(t, s.Input.Skipped)
					assertTruth(t, truth, s, enc.coarse)
				}
			})
		}
	}
}
