package figures

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// An estimate from buckets stays between the smallest and the largest value
// that was recorded.
func TestQuantilesStayWithinTheExtremes(t *testing.T) {
	const p50, p99 = 0.5, 0.99
	histogram := func(start, at int64, low, high float64, buckets ...uint64) telemetry.Sample {
		x := telemetry.Sample{Start: start * 1e9, Time: at * 1e9, Min: low, Max: high, HasMin: true, HasMax: true, Bounds: []float64{1, 2.5}, Buckets: buckets}
		for _, n := range buckets {
			x.Count += n
		}
		return x
	}
	without := func(x telemetry.Sample) telemetry.Sample { x.HasMin, x.HasMax = false, false; return x }
	for name, tt := range map[string]struct {
		kind             telemetry.Kind
		delta            bool
		since            int64
		samples          []telemetry.Sample
		wantP50, wantP99 float64
	}{
		"within":               {samples: []telemetry.Sample{histogram(1, 10, 1.05, 1.1, 0, 10, 0)}, wantP50: 1.1, wantP99: 1.1},
		"from below":           {samples: []telemetry.Sample{histogram(1, 10, 0.9, 2.4, 10, 0, 0)}, wantP50: 0.9, wantP99: 0.99},
		"not recorded":         {samples: []telemetry.Sample{without(histogram(1, 10, 1.05, 1.1, 0, 10, 0))}, wantP50: 1.75, wantP99: 2.485},
		"the wrong way round":  {samples: []telemetry.Sample{histogram(1, 10, 1.1, 1.05, 0, 10, 0)}, wantP50: 1.75, wantP99: 2.485},
		"deltas":               {delta: true, samples: []telemetry.Sample{histogram(1, 10, 1.05, 1.1, 0, 5, 0), histogram(10, 20, 1.2, 1.3, 0, 5, 0)}, wantP50: 1.3, wantP99: 1.3},
		"one delta has none":   {delta: true, samples: []telemetry.Sample{histogram(1, 10, 1.05, 1.1, 0, 5, 0), without(histogram(10, 20, 0, 0, 0, 5, 0))}, wantP50: 1.75, wantP99: 2.485},
		"a delta of nothing":   {delta: true, samples: []telemetry.Sample{without(histogram(1, 10, 0, 0, 0, 0, 0)), histogram(10, 20, 1.05, 1.1, 0, 5, 0)}, wantP50: 1.1, wantP99: 1.1},
		"delta before since":   {delta: true, since: 15, samples: []telemetry.Sample{histogram(1, 10, 0.1, 9, 1, 1, 1), histogram(10, 20, 1.05, 1.1, 0, 5, 0)}, wantP50: 1.1, wantP99: 1.1},
		"cumulative in window": {since: 15, samples: []telemetry.Sample{histogram(1, 10, 1.2, 2, 0, 5, 0), histogram(1, 20, 1.2, 2, 0, 10, 0)}, wantP50: 1.75, wantP99: 2},
		"a reset":              {samples: []telemetry.Sample{histogram(1, 10, 1.2, 2, 0, 5, 0), histogram(15, 20, 1.1, 1.3, 0, 5, 0)}, wantP50: 1.75, wantP99: 2},
		"exponential": {kind: telemetry.ExpHistogram, samples: []telemetry.Sample{{Start: 1e9, Time: 10e9, Count: 4, Buckets: []uint64{4},
			Min: 1.01, Max: 1.2, HasMin: true, HasMax: true}}, wantP50: 1.2, wantP99: 1.2}, // of (1, 2]
	} {
		t.Run(name, func(t *testing.T) {
			id := &telemetry.Stream{Identity: telemetry.Identity{Kind: telemetry.Histogram, Temporality: telemetry.Cumulative}}
			if tt.kind != 0 {
				id.Kind = tt.kind
			}
			if tt.delta {
				id.Temporality = telemetry.Delta
			}
			s := &stream{id: id, window: window{since: tt.since * 1e9}}
			for _, x := range tt.samples {
				x.Stream = id
				s.add(&x, 0)
			}
			d, ok := s.increase()
			require.True(t, ok, s.refused)
			for q, want := range map[float64]float64{p50: tt.wantP50, p99: tt.wantP99} {
				got, ok := d.quantile(q)
				assert.True(t, ok)
				assert.InDelta(t, want, got, 1e-9, "q %v", q)
			}
		})
	}
}

func TestExtremesAreScaled(t *testing.T) {
	d := distribution{parts: 1, count: 1, bounds: []float64{1000, 2500}, buckets: []float64{0, 1, 0}, extremes: extremes{max: 1100, hasMax: true}}
	d.scaleBy(0.001)
	got, _ := d.quantile(0.99)
	assert.InDelta(t, 1.1, got, 1e-9)
}
