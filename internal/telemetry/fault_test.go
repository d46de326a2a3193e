package telemetry

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFaultsOfSamples(t *testing.T) {
	explicit := func(count uint64, bounds ...float64) Sample {
		return Sample{Count: count, Bounds: bounds, Buckets: []uint64{1, 2, 3}}
	}
	exponential := func(count uint64, offset int32) Sample {
		return Sample{Count: count, Zero: 1, Below: 2, Offset: offset, Buckets: []uint64{3, 4}}
	}
	for name, tt := range map[string]struct {
		kind Kind
		x    Sample
		want string
	}{
		"counter":                          {Sum, Sample{Start: 1, Time: 2, Value: 3}, ""},
		"counter that is no number":        {Sum, Sample{Value: math.NaN()}, ReasonNumber},
		"time past 2262":                   {Sum, Sample{Time: -1}, ReasonNumber},
		"start past 2262":                  {Histogram, Sample{Start: -1}, ReasonNumber},
		"histogram":                        {Histogram, explicit(6, 1, 2), ""},
		"histogram without buckets":        {Histogram, Sample{Count: 6}, ""},
		"histogram with infinite bounds":   {Histogram, explicit(6, math.Inf(-1), math.Inf(1)), ""},
		"bounds too few":                   {Histogram, explicit(6, 1), ReasonBuckets},
		"bounds that fall":                 {Histogram, explicit(6, 2, 1), ReasonBuckets},
		"bounds that are the same":         {Histogram, explicit(6, 1, 1), ReasonBuckets},
		"a bound that is no number":        {Histogram, explicit(6, 1, math.NaN()), ReasonBuckets},
		"count above the buckets":          {Histogram, explicit(math.MaxUint64, 1, 2), ReasonBuckets},
		"count below the buckets":          {Histogram, explicit(5, 1, 2), ReasonBuckets},
		"exponential":                      {ExpHistogram, exponential(10, 0), ""},
		"exponential without buckets":      {ExpHistogram, Sample{Count: 6}, ""},
		"exponential, count above buckets": {ExpHistogram, exponential(11, 0), ReasonBuckets},
		"exponential, buckets past 32 bit": {ExpHistogram, exponential(10, math.MaxInt32-1), ReasonBuckets},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, tt.x.Fault(tt.kind)) })
	}
}
