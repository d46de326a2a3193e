package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// Values of Newcombe (1998), table I, method 3: the score interval without
// continuity correction.
func TestWilson(t *testing.T) {
	for _, tt := range []struct{ k, n, lo, hi float64 }{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{29, 29, 0.8830, 1},
	} {
		lo, hi := Wilson(tt.k, tt.n)
		assert.InDelta(t, tt.lo, lo, 5e-5)
		assert.InDelta(t, tt.hi, hi, 5e-5)
	}
}

func TestQuantiles(t *testing.T) {
	explicit := distribution{parts: 1, count: 10, bounds: []float64{1, 2, 4}, buckets: []float64{2, 4, 3, 1}}
	for q, want := range map[float64]float64{0.1: 0.5, 0.2: 1, 0.5: 1.75, 0.9: 4, 0.99: 4} {
		got, ok := explicit.quantile(q)
		assert.True(t, ok)
		assert.InDelta(t, want, got, 1e-12, "q %v", q)
	}
	var spans distribution
	for i := range 10000 {
		spans.observe(float64(i+1) / 1000)
	}
	for q, want := range map[float64]float64{0.5: 5, 0.95: 9.5, 0.99: 9.9} {
		got, ok := spans.quantile(q)
		assert.True(t, ok)
		assert.InEpsilon(t, want, got, 0.022, "q %v", q)
	}
	empty := distribution{parts: 1}
	_, ok := empty.quantile(0.5)
	assert.False(t, ok, "no observations: not known")
}

func TestHistogramsWithOtherBoundsMergeExactly(t *testing.T) {
	a := distribution{parts: 1, count: 6, bounds: []float64{1, 2, 4}, buckets: []float64{1, 2, 2, 1}, hasSum: true}
	a.add(&distribution{parts: 1, count: 4, bounds: []float64{2, 3, 4}, buckets: []float64{1, 1, 1, 1}, hasSum: true})
	assert.Equal(t, []float64{2, 4}, a.bounds, "the bounds that both have")
	assert.Equal(t, []float64{4, 4, 2}, a.buckets)
	a.add(&distribution{parts: 1, count: 1, exp: map[int32]float64{0: 1}})
	_, ok := a.quantile(0.5)
	assert.False(t, ok, "explicit and exponential buckets do not mix")
}

func TestExpIndexIsTheBucketOfTheDataModel(t *testing.T) {
	for _, tt := range []struct {
		v     float64
		scale int32
		want  int32
	}{{1, 0, -1}, {1.5, 0, 0}, {2, 0, 0}, {2.1, 0, 1}, {4, -1, 0}, {4.1, -1, 1}, {math.Sqrt2 + 1e-9, 1, 1}} {
		assert.Equal(t, tt.want, expIndex(tt.v, tt.scale), "%v at scale %d", tt.v, tt.scale)
	}
}

// point makes a sample; its times are seconds.
func sample(start, at int64, v float64) telemetry.Sample {
	return telemetry.Sample{Start: start * 1e9, Time: at * 1e9, Value: v}
}

func TestIncrease(t *testing.T) {
	tests := map[string]struct {
		delta   bool
		window  window
		samples [][]telemetry.Sample // by segment
		want    float64
		unknown bool
		refused string
	}{
		"counts from the start":            {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 20, 9)}}, want: 9},
		"without a start, from 0":          {samples: [][]telemetry.Sample{{sample(0, 10, 5)}}, want: 5},
		"a new start is a reset":           {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(15, 20, 7)}}, want: 12},
		"a fall is a reset":                {samples: [][]telemetry.Sample{{sample(0, 10, 5), sample(0, 20, 2), sample(0, 30, 4)}}, want: 9},
		"files in no order":                {samples: [][]telemetry.Sample{{sample(1, 30, 9), sample(1, 40, 12)}, {sample(1, 10, 5), sample(1, 20, 7)}}, want: 12},
		"resets in files in no order":      {samples: [][]telemetry.Sample{{sample(0, 30, 3), sample(0, 40, 8)}, {sample(0, 10, 5), sample(0, 20, 7)}}, want: 15},
		"lines in no order":                {samples: [][]telemetry.Sample{{sample(1, 30, 9), sample(1, 10, 5), sample(1, 40, 12), sample(1, 20, 7)}}, want: 12},
		"the same sample twice":            {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 10, 5)}, {sample(1, 10, 5)}}, want: 5},
		"unknown start":                    {samples: [][]telemetry.Sample{{sample(10, 10, 5), sample(10, 20, 9)}}, want: 4},
		"unknown start all along":          {samples: [][]telemetry.Sample{{sample(10, 10, 5), sample(20, 20, 9)}}, want: 4},
		"unknown start, one sample":        {samples: [][]telemetry.Sample{{sample(10, 10, 5)}}, unknown: true},
		"window":                           {window: window{15e9, 35e9}, samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 20, 7), sample(1, 30, 9), sample(1, 40, 12)}}, want: 4},
		"window, reset in it":              {window: window{15e9, 0}, samples: [][]telemetry.Sample{{sample(0, 10, 5), sample(0, 20, 2), sample(0, 30, 4)}}, want: 4},
		"deltas add up":                    {delta: true, samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(10, 20, 4)}, {sample(20, 30, 1)}}, want: 10},
		"deltas in no order":               {delta: true, samples: [][]telemetry.Sample{{sample(20, 30, 1), sample(1, 10, 5), sample(10, 20, 4)}}, want: 10},
		"deltas that overlap":              {delta: true, samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(5, 15, 4)}}, refused: "overlap"},
		"the same delta twice":             {delta: true, samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 10, 5)}}, refused: "overlap"},
		"two starts at once":               {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(2, 11, 3), sample(1, 20, 9), sample(2, 21, 6)}}, refused: "two writers"},
		"one time, two values":             {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 10, 6)}}, refused: "two writers"},
		"one start, two writers":           {samples: [][]telemetry.Sample{{sample(0, 10, 50), sample(0, 11, 3), sample(0, 20, 60), sample(0, 21, 4), sample(0, 30, 70), sample(0, 31, 5)}}, refused: "two writers"},
		"files that contradict each other": {samples: [][]telemetry.Sample{{sample(1, 10, 5), sample(1, 30, 9)}, {sample(1, 20, 50)}}, refused: "two writers"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			id := &telemetry.Stream{Identity: telemetry.Identity{Temporality: telemetry.Cumulative}}
			if tt.delta {
				id.Temporality = telemetry.Delta
			}
			s := &stream{id: id, window: tt.window}
			for segment, samples := range tt.samples {
				for _, x := range samples {
					x.Stream = id
					s.add(&x, segment)
				}
			}
			got, ok := s.increase()
			if tt.refused != "" {
				require.False(t, ok)
				assert.Contains(t, s.refused, tt.refused)
				return
			}
			require.Empty(t, s.refused)
			require.Equal(t, !tt.unknown, ok)
			if ok {
				assert.Equal(t, tt.want, got.count)
			}
		})
	}
}

// The buckets of spans are those of the definition.
func TestSpanIndex(t *testing.T) {
	for _, v := range []float64{1e-9, 3e-9, 0.5, 1, 1.0000001, 2, 2.5, 4, 1023.9, 1e9} {
		assert.Equal(t, int(expIndex(v, spanScale)), spanIndex(v), "%v", v)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := float64(rapid.Int64Range(1, 1<<60).Draw(t, "nanoseconds")) / 1e9
		got := spanIndex(v)
		lower, upper := math.Exp2(float64(got)/(1<<spanScale)), math.Exp2(float64(got+1)/(1<<spanScale))
		if v < lower*(1-1e-14) || v > upper*(1+1e-14) {
			t.Errorf("%v is not between %v and %v", v, lower, upper)
		}
	})
}
