package figures_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// What is plotted over time adds up to the total: what only a part of the
// operations knows, or nothing counts over time, is not there at all.
func TestTheTimelineAddsUpToTheTotal(t *testing.T) {
	shown := map[string]int{}
	err := filepath.WalkDir("../../testdata/telemetry", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(filepath.Dir(path)) == "golden" {
			return err
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			b := figures.NewBuilder(figures.Options{})
			registry := telemetry.NewRegistry(dialect.Catalog(), 0)
			if err := reader.Read(t.Context(), []string{path}, b, reader.Options{Registry: registry}); err != nil {
				t.Log(err)
			}
			s := b.Summary()
			if len(s.Timeline) == 0 {
				return
			}
			var requests, attempts, first, added, retries float64
			for _, slot := range s.Timeline {
				requests += slot.Requests
				for from, to := range map[*float64]*float64{slot.Attempts: &attempts, slot.FirstSuccess: &first, slot.AddedSeconds: &added} {
					if from != nil {
						*to += *from
					}
				}
				for _, n := range slot.RetriesByClass {
					retries += n
				}
			}
			require.NotNil(t, s.Total.Requests)
			assert.InDelta(t, *s.Total.Requests, requests, 1e-6)
			at := s.Timeline[0]
			if at.Attempts != nil {
				shown["attempts"]++
				assert.InDelta(t, *s.Total.Attempts, attempts, 1e-6)
			}
			if at.FirstSuccess != nil {
				shown["first"]++
				assert.InDelta(t, s.Total.Outcomes["first_attempt_success"], first, 1e-6)
			}
			if at.AddedSeconds != nil {
				shown["added"]++
				assert.InDelta(t, *s.Total.AddedLatency.Mean**s.Total.Requests, added, 1e-3)
			}
			if at.RetriesByClass != nil {
				shown["classes"]++
				assert.InDelta(t, classes(s), retries, 1e-6)
			}
		})
		return nil
	})
	require.NoError(t, err)
	for _, what := range []string{"attempts", "first", "added", "classes"} {
		assert.Greater(t, shown[what], 10, what)
	}
}

func classes(s *summary.Summary) (n float64) {
	for _, of := range s.Total.RetriesByClass {
		n += of
	}
	return n
}
