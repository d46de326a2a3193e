package figures

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func TestScalesOfExponentialHistograms(t *testing.T) {
	for name, tt := range map[string]struct {
		scales []int32
		want   map[int32]float64
	}{
		"the same":               {[]int32{3, 3}, map[int32]float64{-5: 2, 5: 2}},
		"coarser":                {[]int32{3, 1}, map[int32]float64{-2: 1, 1: 1, -5: 1, 5: 1}},
		"finer":                  {[]int32{1, 3}, map[int32]float64{-5: 1, 5: 1, -2: 1, 1: 1}},
		"the coarsest":           {[]int32{20, math.MinInt32}, map[int32]float64{-1: 1, 0: 1, -5: 1, 5: 1}},
		"the finest":             {[]int32{math.MinInt32, math.MaxInt32}, map[int32]float64{-5: 1, 5: 1, -1: 1, 0: 1}},
		"the finest, the other":  {[]int32{math.MaxInt32, math.MinInt32}, map[int32]float64{-1: 1, 0: 1, -5: 1, 5: 1}},
		"coarser by 32 and more": {[]int32{20, -20}, map[int32]float64{-1: 1, 0: 1, -5: 1, 5: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var d distribution
			for _, scale := range tt.scales {
				d.add(&distribution{parts: 1, count: 2, hasSum: true, scale: scale, exp: map[int32]float64{-5: 1, 5: 1}})
			}
			assert.Equal(t, tt.want, d.exp)
		})
	}
}

// Quantiles that no number can hold are not known, and no report fails of them.
func TestQuantilesAreFinite(t *testing.T) {
	inf := math.Inf(1)
	for name, tt := range map[string]struct {
		d    distribution
		want *float64
	}{
		"past an infinite bound":     {distribution{parts: 1, count: 2, bounds: []float64{1, inf}, buckets: []float64{0, 2, 0}}, ptr(1.0)},
		"below an infinite bound":    {distribution{parts: 1, count: 2, bounds: []float64{inf}, buckets: []float64{2, 0}}, nil},
		"from minus infinity":        {distribution{parts: 1, count: 2, bounds: []float64{-inf, 1}, buckets: []float64{2, 0, 0}}, nil},
		"a scale too coarse":         {distribution{parts: 1, count: 2, scale: math.MinInt32, exp: map[int32]float64{0: 2}}, nil},
		"a scale too coarse, capped": {distribution{parts: 1, count: 2, scale: math.MinInt32, exp: map[int32]float64{0: 2}, extremes: extremes{max: 3, hasMax: true}}, ptr(3.0)},
	} {
		t.Run(name, func(t *testing.T) {
			got := tt.d.result(0)
			assert.Equal(t, tt.want, got.P50)
			_, err := json.Marshal(got)
			assert.NoError(t, err)
		})
	}
}

func summaryOf(t *testing.T, samples ...telemetry.Sample) *summary.Summary {
	t.Helper()
	b := NewBuilder(Options{})
	for i := range samples {
		samples[i].Stream.ID = i
	}
	b.Add(&telemetry.Batch{Samples: samples, Points: int64(len(samples))})
	s := b.Summary()
	_, err := json.Marshal(s)
	require.NoError(t, err)
	return s
}

func TestNegativeSums(t *testing.T) {
	id := telemetry.Identity{Metric: contract.RequestDuration.Name, Kind: telemetry.Histogram, Temporality: telemetry.Cumulative}
	x := telemetry.Sample{Stream: &telemetry.Stream{Identity: id}, Start: 1e9, Time: 2e9, Count: 4, Value: -8, HasSum: true}
	s := summaryOf(t, x)
	require.Len(t, s.Input.Skipped, 1)
	assert.Equal(t, "histogram whose sum is negative or not finite", s.Input.Skipped[0].Reason)

	for name, tt := range map[string]struct {
		before, after float64
		want          distribution
	}{
		"rises":     {3, 5, distribution{count: 2, sum: 2, hasSum: true}},
		"rounded":   {3, 3 - 1e-15, distribution{count: 2, sum: 0, hasSum: true}},
		"it falls":  {3, 2, distribution{count: 2, sum: 0}},
		"unchanged": {3, 3, distribution{count: 2, sum: 0, hasSum: true}},
	} {
		d := distribution{count: 6, sum: tt.after, hasSum: true}
		d.subtract(&distribution{count: 4, sum: tt.before, hasSum: true})
		assert.Equal(t, tt.want, d, name)
	}
}

// Polly tells of a first attempt before it tells of the whole: what is left for
// retried successes is then less than nothing.
func TestPollyInTheMiddleOfRequests(t *testing.T) {
	histogram := func(metric string, n uint64, attrs ...telemetry.Attr) telemetry.Sample {
		id := telemetry.Identity{Metric: metric, Kind: telemetry.Histogram, Temporality: telemetry.Cumulative,
			Attrs: telemetry.NewAttrs(append(attrs, telemetry.Attr{Key: "pipeline.name", Value: "p"}))}
		return telemetry.Sample{Stream: &telemetry.Stream{Identity: id}, Start: 1e9, Time: 2e9, Count: n, Value: 4, HasSum: true}
	}
	for first, whole := range map[uint64]uint64{5: 4, 1: 0, 7: 7} {
		s := summaryOf(t, histogram("resilience.polly.pipeline.duration", whole),
			histogram("resilience.polly.strategy.attempt.duration", first,
				telemetry.Attr{Key: "attempt.number", Value: "0"}, telemetry.Attr{Key: "attempt.handled", Value: "false"}))
		assert.Equal(t, float64(first), *s.Total.Requests)
		assert.Equal(t, 1.0, *s.Total.FirstAttemptSuccess)
		assert.Equal(t, map[string]float64{contract.FirstAttemptSuccess: float64(first), contract.RetriedSuccess: 0}, s.Total.Outcomes)
	}
}

// Buckets of which others are taken away are not known, however many there are.
func TestBucketsOfOtherBoundsAreNotTakenAway(t *testing.T) {
	explicit := func(bounds, buckets []float64) distribution {
		return distribution{parts: 1, count: 9, bounds: bounds, buckets: buckets}
	}
	exponential := func(exp map[int32]float64) distribution { return distribution{parts: 1, count: 9, exp: exp} }
	for name, tt := range map[string]struct {
		d, o  distribution
		known bool
	}{
		"the same bounds":  {explicit([]float64{1, 2}, []float64{3, 3, 3}), explicit([]float64{1, 2}, []float64{1, 2, 0}), true},
		"other bounds":     {explicit([]float64{1, 2}, []float64{3, 3, 3}), explicit([]float64{1, 3}, []float64{1, 2, 0}), false},
		"a bucket fell":    {explicit([]float64{1, 2}, []float64{3, 3, 3}), explicit([]float64{1, 2}, []float64{0, 4, 0}), false},
		"exponential":      {exponential(map[int32]float64{1: 3, 2: 4}), exponential(map[int32]float64{1: 3}), true},
		"exponential fell": {exponential(map[int32]float64{1: 3, 2: 4}), exponential(map[int32]float64{3: 1}), false},
	} {
		t.Run(name, func(t *testing.T) {
			tt.d.subtract(&tt.o)
			assert.Equal(t, tt.known, !tt.d.noBuckets)
		})
	}
}
