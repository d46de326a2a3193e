package figures

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Two readers of one process count everything twice between them, unless one of
// them took over from the other.
func TestCountersInTwoForms(t *testing.T) {
	requests := func(temporality telemetry.Temporality, instance string, start, at int64, n float64) telemetry.Sample {
		x := sample(start, at, n)
		x.Stream = &telemetry.Stream{Identity: telemetry.Identity{
			Metric: contract.Requests.Name, Kind: telemetry.Sum, Temporality: temporality,
			Resource: telemetry.NewAttrs([]telemetry.Attr{{Key: "service.instance.id", Value: instance}}),
			Attrs:    telemetry.NewAttrs([]telemetry.Attr{{Key: contract.AttrOutcome, Value: contract.FirstAttemptSuccess}}),
		}}
		return x
	}
	duration := func(kind telemetry.Kind) telemetry.Sample {
		x := sample(1, 10, 7)
		x.Count, x.HasSum = 5, true
		x.Stream = &telemetry.Stream{Identity: telemetry.Identity{Metric: contract.RequestDuration.Name, Kind: kind, Temporality: telemetry.Cumulative}}
		return x
	}
	const delta, cumulative = telemetry.Delta, telemetry.Cumulative
	for name, tt := range map[string]struct {
		samples []telemetry.Sample
		want    float64 // 0: refused
	}{
		"at once":              {[]telemetry.Sample{requests(cumulative, "a", 1, 10, 5), requests(delta, "a", 1, 10, 5)}, 0},
		"at once, in part":     {[]telemetry.Sample{requests(cumulative, "a", 1, 10, 5), requests(delta, "a", 9, 12, 5)}, 0},
		"one after the other":  {[]telemetry.Sample{requests(cumulative, "a", 1, 10, 5), requests(delta, "a", 10, 20, 5)}, 10},
		"of two processes":     {[]telemetry.Sample{requests(cumulative, "a", 1, 10, 5), requests(delta, "b", 1, 10, 5)}, 10},
		"two kinds of buckets": {[]telemetry.Sample{duration(telemetry.Histogram), duration(telemetry.ExpHistogram)}, 0},
		"one kind":             {[]telemetry.Sample{duration(telemetry.Histogram)}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			s := summaryOf(t, tt.samples...)
			if tt.want > 0 {
				assert.Equal(t, tt.want, *s.Total.Requests)
				assert.Empty(t, s.Notes)
				return
			}
			assert.Nil(t, s.Total.Requests)
			assert.True(t, s.Refused)
			require.Len(t, s.Notes, 1)
			assert.Contains(t, s.Notes[0], "leave one of the exports out (2 streams)")
		})
	}
}
