package telemetry

import "math"

// Fault says why a sample of a kind can't be one, as one of the Reasons; "" when
// nothing speaks against it.
func (s *Sample) Fault(kind Kind) string {
	switch {
	case s.Start < 0 || s.Time < 0, // more nanoseconds than an int64 has
		kind < Histogram && s.Value != s.Value:
		return ReasonNumber
	case kind == Histogram && len(s.Buckets) > 0 &&
		(len(s.Buckets) != len(s.Bounds)+1 || !rising(s.Bounds) || total(s.Buckets) != s.Count):
		return ReasonBuckets
	case kind == ExpHistogram && s.hasExponential() &&
		(s.Zero+s.Below+total(s.Buckets) != s.Count || int64(s.Offset)+int64(len(s.Buckets)) > math.MaxInt32):
		return ReasonBuckets
	}
	return ""
}

// hasExponential reports whether there is more than a count.
func (s *Sample) hasExponential() bool { return len(s.Buckets) > 0 || s.Zero > 0 || s.Below > 0 }

// rising reports whether each number is above the one before; NaN never is.
func rising(bounds []float64) bool {
	before := math.Inf(-1)
	for i, b := range bounds {
		if !(b > before || i == 0 && b == before) {
			return false
		}
		before = b
	}
	return true
}

func total(counts []uint64) (sum uint64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
