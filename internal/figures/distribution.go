package figures

import (
	"math"
	"slices"

	"github.com/retrykit/retrykit/internal/summary"
)

// distribution is a histogram under construction: explicit buckets, or
// exponential ones, with their count and sum. Counts are float64 because
// dialects scale and Prometheus extrapolates them.
type distribution struct {
	count  float64
	sum    float64
	hasSum bool
	parts  int // how many histograms were added
	extremes

	bounds  []float64 // explicit: upper bounds of buckets[:len-1]
	buckets []float64

	scale int32 // exponential
	exp   map[int32]float64
	zero  float64

	noBuckets bool // something added had no buckets, or of the other kind
}

// add adds another distribution. Explicit buckets with other bounds are
// merged on the bounds that both have: coarser, and still exact.
func (d *distribution) add(o *distribution) {
	if o.parts == 0 {
		return
	}
	first := d.parts == 0
	if o.count > 0 {
		d.extremes = d.with(o.extremes, d.count > 0)
	}
	d.count += o.count
	d.sum += o.sum
	d.hasSum = o.hasSum && (first || d.hasSum)
	d.parts += o.parts
	d.noBuckets = d.noBuckets || o.noBuckets
	switch {
	case o.count == 0 || o.noBuckets:
	case o.exp != nil:
		if d.buckets != nil {
			d.noBuckets = true
			return
		}
		d.addExp(o)
	case o.buckets != nil:
		if d.exp != nil {
			d.noBuckets = true
			return
		}
		d.addExplicit(o.bounds, o.buckets)
	}
}

func (d *distribution) addExplicit(bounds, buckets []float64) {
	if d.buckets == nil {
		d.bounds, d.buckets = slices.Clone(bounds), slices.Clone(buckets)
		return
	}
	if !slices.Equal(d.bounds, bounds) {
		var common []float64
		for _, b := range bounds {
			if slices.Contains(d.bounds, b) {
				common = append(common, b)
			}
		}
		d.buckets = rebucket(d.bounds, d.buckets, common)
		buckets = rebucket(bounds, buckets, common)
		d.bounds = common
	}
	for i, n := range buckets {
		d.buckets[i] += n
	}
}

// rebucket sums buckets into those of fewer bounds.
func rebucket(bounds, buckets, fewer []float64) []float64 {
	out := make([]float64, len(fewer)+1)
	j := 0
	for i, n := range buckets {
		if i < len(bounds) {
			for j < len(fewer) && fewer[j] < bounds[i] {
				j++
			}
		} else {
			j = len(fewer)
		}
		out[j] += n
	}
	return out
}

func (d *distribution) addExp(o *distribution) {
	if d.exp == nil {
		d.exp, d.scale = map[int32]float64{}, o.scale
	}
	d.zero += o.zero
	if d.scale > o.scale {
		wider := make(map[int32]float64, len(d.exp)/2+1)
		for i, n := range d.exp {
			wider[atScale(i, d.scale, o.scale)] += n
		}
		d.exp, d.scale = wider, o.scale
	}
	for i, n := range o.exp {
		d.exp[atScale(i, o.scale, d.scale)] += n
	}
}

// atScale is the bucket of a scale that holds a bucket of a finer one.
func atScale(i, from, to int32) int32 {
	return i >> min(31, int64(from)-int64(to)) // further shifting changes nothing any more
}

// quantile estimates as Prometheus' histogram_quantile does, and, where the
// extremes are known, nothing that lies outside of them.
func (d *distribution) quantile(q float64) (float64, bool) {
	v, ok := d.estimate(q)
	v = d.clamp(v)
	return v, ok && finite(v)
}

// estimate is quantile by the buckets alone: linearly within an explicit bucket,
// the first of which starts at 0, exponentially within an exponential one; what
// lies past the last bound is reported as that bound.
func (d *distribution) estimate(q float64) (float64, bool) {
	if d.noBuckets || d.count <= 0 {
		return 0, false
	}
	if d.exp != nil {
		return d.expQuantile(q)
	}
	if len(d.bounds) == 0 {
		return 0, false
	}
	var total float64
	for _, n := range d.buckets {
		total += n
	}
	if total <= 0 {
		return 0, false
	}
	rank, below := q*total, 0.0
	for i, n := range d.buckets {
		if below+n < rank {
			below += n
			continue
		}
		if i == len(d.bounds) || i > 0 && math.IsInf(d.bounds[i], 1) {
			return d.bounds[i-1], true
		}
		upper, lower := d.bounds[i], 0.0
		if i > 0 {
			lower = d.bounds[i-1]
		} else if upper <= 0 {
			return upper, true
		}
		if n == 0 {
			return lower, true
		}
		return lower + (upper-lower)*(rank-below)/n, true
	}
	return d.bounds[len(d.bounds)-1], true
}

func (d *distribution) expQuantile(q float64) (float64, bool) {
	indexes := make([]int32, 0, len(d.exp))
	total := d.zero
	for i, n := range d.exp {
		indexes = append(indexes, i)
		total += n
	}
	if total <= 0 {
		return 0, false
	}
	slices.Sort(indexes)
	rank, below := q*total, d.zero
	if rank <= below {
		return 0, true
	}
	base := math.Exp2(-float64(d.scale)) // log2 of a bucket's width
	for _, i := range indexes {
		n := d.exp[i]
		if below+n >= rank {
			return math.Exp2((float64(i) + (rank-below)/n) * base), true
		}
		below += n
	}
	return math.Exp2(float64(indexes[len(indexes)-1]+1) * base), true
}

// expIndex is the index of the bucket that holds v > 0: buckets are
// (2^(i/2^scale), 2^((i+1)/2^scale)].
func expIndex(v float64, scale int32) int32 {
	return int32(math.Ceil(math.Log2(v)*math.Exp2(float64(scale)))) - 1
}

// observe adds one value to an exponential distribution of spanScale.
func (d *distribution) observe(v float64) {
	if d.exp == nil {
		d.exp, d.scale = map[int32]float64{}, spanScale
	}
	d.parts, d.hasSum = 1, true
	d.count++
	d.sum += v
	if v <= 0 {
		d.zero++
		return
	}
	d.exp[expIndex(v, d.scale)]++
}

// spanHistogram is an exponential distribution of spanScale to which adding is
// cheap.
type spanHistogram struct {
	count, sum, zero float64
	counts           [spanBuckets]uint32
}

// spanBuckets cover 2^-30 s, about a nanosecond, to 2^34 s, some 500 years.
const (
	spanLowest  = -30 << spanScale
	spanBuckets = 64 << spanScale
)

func (h *spanHistogram) observe(v float64) {
	h.count++
	h.sum += v
	if v <= 0 {
		h.zero++
		return
	}
	h.counts[max(0, min(spanBuckets-1, spanIndex(v)-spanLowest))]++
}

// spanBounds are the upper bounds of the buckets between 1 and 2.
var spanBounds = func() (bounds [1 << spanScale]float64) {
	for i := range bounds {
		bounds[i] = math.Exp2(float64(i+1) / (1 << spanScale))
	}
	return bounds
}()

// spanIndex is expIndex for spanScale, without a logarithm: the bits of v say
// between which powers of two it is, and about how far along.
func spanIndex(v float64) int {
	const mantissa = 52
	bits := math.Float64bits(v)
	exponent := int(bits>>mantissa) - 1023                                  // v is positive, and no subnormal time is measured
	fraction := math.Float64frombits(bits&(1<<mantissa-1) | 1023<<mantissa) // v as it is between 1 and 2
	if fraction == 1 {
		return exponent<<spanScale - 1 // a bucket has its upper bound
	}
	// 2^x is below its chord: the bucket is at or after the place of its chord.
	i := int(bits >> (mantissa - spanScale) & (1<<spanScale - 1))
	for i < len(spanBounds)-1 && fraction > spanBounds[i] {
		i++
	}
	return exponent<<spanScale + i
}

func (h *spanHistogram) distribution() distribution {
	d := distribution{parts: 1, hasSum: true, count: h.count, sum: h.sum, zero: h.zero, scale: spanScale, exp: map[int32]float64{}}
	for i, n := range h.counts {
		if n > 0 {
			d.exp[int32(i+spanLowest)] = float64(n)
		}
	}
	return d
}

// spanScale makes buckets 2.2 % wide, well below what spans of one operation
// vary by.
const spanScale = 5

// result is the distribution as the summary shows it; the mean is over whole
// if that is positive, else over the observations.
func (d *distribution) result(whole float64) *summary.Distribution {
	if d.parts == 0 {
		return nil
	}
	if whole <= 0 {
		whole = d.count
	}
	out := &summary.Distribution{}
	if d.hasSum && whole > 0 {
		out.Mean = ptr(d.sum / whole)
	}
	for _, x := range []struct {
		q  float64
		to **float64
	}{{0.5, &out.P50}, {0.95, &out.P95}, {0.99, &out.P99}} {
		if v, ok := d.quantile(x.q); ok {
			*x.to = &v
		}
	}
	return out
}

func ptr[T any](v T) *T { return &v }
