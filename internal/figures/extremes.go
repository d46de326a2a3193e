package figures

import (
	"math"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// extremes are the smallest and the largest value of a histogram, where they
// were recorded. Those of a delta are of its interval. Those of a cumulative
// sample are of its whole life, of which a window is a part: nothing in the
// window lies outside of them, although they may lie outside of it.
type extremes struct {
	min, max       float64
	hasMin, hasMax bool
}

// extremesOf takes what a sample says; what is not finite, or the wrong way
// round, says nothing.
func extremesOf(x *telemetry.Sample) extremes {
	e := extremes{min: x.Min, max: x.Max, hasMin: x.HasMin && finite(x.Min), hasMax: x.HasMax && finite(x.Max)}
	if e.hasMin && e.hasMax && e.min > e.max {
		return extremes{}
	}
	return e
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// with returns the extremes of both: known where they are known of both, or
// those of o when e is of nothing.
func (e extremes) with(o extremes, something bool) extremes {
	if !something {
		return o
	}
	return extremes{
		min: min(e.min, o.min), hasMin: e.hasMin && o.hasMin,
		max: max(e.max, o.max), hasMax: e.hasMax && o.hasMax,
	}
}

func (e extremes) clamp(v float64) float64 {
	if e.hasMax {
		v = min(v, e.max)
	}
	if e.hasMin {
		v = max(v, e.min)
	}
	return v
}
