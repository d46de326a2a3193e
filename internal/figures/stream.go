package figures

import (
	"fmt"
	"math"
	"slices"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// Bounds on what one stream may keep, so that hostile input stays small.
const (
	maxRuns         = 4096
	maxIncarnations = 4096
	maxIntervals    = 4096
	maxUnknown      = 1024
)

// window is the time asked about: samples in (since, until]; 0 is open.
type window struct{ since, until int64 }

func (w window) has(at int64) bool {
	return (w.since == 0 || at > w.since) && (w.until == 0 || at <= w.until)
}

// stream turns the samples of one identity into how much it increased.
//
// Cumulative samples are kept as runs: stretches in which time and value both
// rose, of which only the ends matter. Runs make the order of files
// irrelevant and the memory independent of the number of samples: a stream
// that is read in order and never reset is one run. A start time opens an
// incarnation; within one, a fall in value is a reset too.
type stream struct {
	id     *telemetry.Stream
	window window
	follow []follower // where increases go over time

	refused string // why its samples can't be used, "" if they can

	delta        distribution
	deltaSeen    bool
	covered      []interval
	coveredFull  bool
	incarnations []*incarnation
	current      *incarnation
	unknown      []point // samples whose start is their time

	// reporting says whether the process that began at start is known to have
	// reported before the window: then what it did not report yet was 0.
	reporting func(start int64) bool

	firstTime, lastTime int64 // of samples in the window
	badBounds           bool
}

// follower is a track to which increases go: of the count or, of histograms, of
// the sum, times a factor.
type follower struct {
	track  *track
	sums   bool
	factor float64
}

// follows takes an increase at a time.
func (s *stream) follows(at int64, count, sum float64) {
	for i := range s.follow {
		f, n := &s.follow[i], count
		if f.sums {
			n = sum
		}
		f.track.add(at, n*f.factor)
	}
}

type interval struct{ start, end int64 }

// incarnation is the life of one cumulative counter, from its start time.
type incarnation struct {
	start int64
	base  *point // the last sample not after since
	runs  []run
	// falls counts falls in value, bounces those after which the value was
	// back above: two writers, not resets.
	falls, bounces int
	beforeFall     float64
}

type run struct {
	segment     int
	first, last point
}

type point struct {
	time   int64
	value  float64 // of histograms the count
	sum    float64
	hasSum bool
	extremes
	bounds  []float64
	buckets []uint64
	scale   int32
	offset  int32
	zero    uint64
}

func (p *point) set(s *telemetry.Sample) {
	p.time, p.value = s.Time, s.Value
	switch s.Stream.Kind {
	case telemetry.Histogram, telemetry.ExpHistogram, telemetry.Summary:
		p.value, p.sum, p.hasSum = float64(s.Count), s.Value, s.HasSum
		p.extremes = extremesOf(s)
		p.bounds = s.Bounds
		p.buckets = append(p.buckets[:0], s.Buckets...)
		p.scale, p.offset, p.zero = s.Scale, s.Offset, s.Zero+s.Below
	}
}

func (p point) clone() point {
	p.buckets = slices.Clone(p.buckets)
	return p
}

// add takes one sample; segment says which samples came in order.
func (s *stream) add(x *telemetry.Sample, segment int) {
	if s.refused != "" {
		return
	}
	if s.window.until != 0 && x.Time > s.window.until {
		return
	}
	if s.id.Temporality == telemetry.Delta {
		s.addDelta(x)
		return
	}
	s.addCumulative(x, segment)
}

func (s *stream) seen(t int64) {
	if s.firstTime == 0 || t < s.firstTime {
		s.firstTime = t
	}
	s.lastTime = max(s.lastTime, t)
}

func (s *stream) addDelta(x *telemetry.Sample) {
	if s.window.since != 0 && x.Time <= s.window.since {
		return
	}
	if !s.cover(x) {
		s.refused = "delta samples overlap in time: two writers of one identity, or the same data twice"
		return
	}
	s.deltaSeen = true
	s.seen(x.Time)
	if x.Start != 0 && x.Start < s.firstTime {
		s.firstTime = x.Start
	}
	var p point
	p.set(x)
	d := p.distribution(s.id.Kind)
	s.delta.add(&d)
	s.follows(x.Time, p.value, p.sum)
}

// cover notes the time that a delta covers; false when some of it was covered
// before.
func (s *stream) cover(x *telemetry.Sample) bool {
	if x.Time == 0 || s.coveredFull {
		return true
	}
	in := interval{x.Start, x.Time}
	if in.start == 0 || in.start >= in.end {
		in.start = in.end - 1
	}
	n := len(s.covered)
	i := n
	if n > 0 && in.start < s.covered[n-1].end {
		i, _ = slices.BinarySearchFunc(s.covered, in.start, func(c interval, start int64) int {
			if c.end <= start {
				return -1
			}
			return 1
		})
		if i < n && s.covered[i].start < in.end {
			return false
		}
	}
	joinsLeft := i > 0 && s.covered[i-1].end == in.start
	joinsRight := i < n && s.covered[i].start == in.end
	switch {
	case joinsLeft && joinsRight:
		s.covered[i-1].end = s.covered[i].end
		s.covered = slices.Delete(s.covered, i, i+1)
	case joinsLeft:
		s.covered[i-1].end = in.end
	case joinsRight:
		s.covered[i].start = in.start
	case n >= maxIntervals:
		s.covered, s.coveredFull = nil, true
	default:
		s.covered = slices.Insert(s.covered, i, in)
	}
	return true
}

func (s *stream) addCumulative(x *telemetry.Sample, segment int) {
	start := x.Start
	if start != 0 && start == x.Time {
		if len(s.unknown) >= maxUnknown {
			s.unknown = slices.Delete(s.unknown, 1, 2)
		}
		var p point
		p.set(x)
		s.unknown = append(s.unknown, p)
		start = -1 // the incarnation of samples whose start is not known
	}
	inc := s.current
	if inc == nil || inc.start != start {
		inc = nil
		for _, c := range s.incarnations {
			if c.start == start {
				inc = c
				break
			}
		}
		if inc == nil {
			if len(s.incarnations) >= maxIncarnations {
				s.refused = fmt.Sprintf("more than %d start times", maxIncarnations)
				return
			}
			inc = &incarnation{start: start}
			s.incarnations = append(s.incarnations, inc)
		}
		s.current = inc
	}
	if s.window.since != 0 && x.Time <= s.window.since {
		if inc.base == nil {
			inc.base = &point{}
		}
		if x.Time >= inc.base.time {
			inc.base.set(x)
		}
		return
	}
	s.seen(x.Time)
	value := x.Value
	switch s.id.Kind {
	case telemetry.Histogram, telemetry.ExpHistogram, telemetry.Summary:
		value = float64(x.Count)
	}
	var in *run // the run of this segment that x belongs to
	for i := len(inc.runs) - 1; i >= 0; i-- {
		r := &inc.runs[i]
		if r.segment != segment {
			break
		}
		switch {
		case x.Time > r.last.time && i == len(inc.runs)-1 || x.Time == 0:
			if value >= r.last.value {
				s.advance(r, x, value)
				inc.settle(value)
				return
			}
			inc.fall(r.last.value)
			i = 0 // a reset: a new run
		case x.Time >= r.first.time && x.Time <= r.last.time:
			in = r
		case x.Time < r.first.time && value <= r.first.value && (i == 0 || inc.runs[i-1].segment != segment || inc.runs[i-1].last.time < x.Time):
			s.follows(r.first.time, r.first.value-value, r.first.sum-x.Value)
			r.first.set(x)
			return
		}
		if in != nil {
			break
		}
	}
	if in != nil {
		if x.Time == in.last.time && value != in.last.value || x.Time == in.first.time && value != in.first.value && in.first.time != in.last.time ||
			value < in.first.value || value > in.last.value {
			s.refused = "samples of one time or order have contradicting values: two writers of one identity"
		}
		return
	}
	if len(inc.runs) >= maxRuns {
		s.refused = fmt.Sprintf("more than %d resets", maxRuns)
		return
	}
	r := run{segment: segment}
	r.first.set(x)
	r.last = r.first.clone()
	inc.runs = append(inc.runs, r)
}

func (inc *incarnation) fall(from float64) {
	inc.falls++
	inc.beforeFall = from
}

// settle notes whether the sample after a fall is back above the value before.
func (inc *incarnation) settle(value float64) {
	if inc.beforeFall > 0 {
		if value >= inc.beforeFall {
			inc.bounces++
		}
		inc.beforeFall = 0
	}
}

func (s *stream) advance(r *run, x *telemetry.Sample, value float64) {
	s.follows(x.Time, value-r.last.value, x.Value-r.last.sum)
	if len(x.Bounds) != len(r.last.bounds) {
		s.badBounds = true
	}
	r.last.set(x)
}

// increase returns how much the stream increased in its window; false when
// that can't be known.
func (s *stream) increase() (distribution, bool) {
	if s.id.Temporality == telemetry.Delta {
		return s.delta, s.deltaSeen && s.refused == ""
	}
	var total distribution
	known := false
	baselines := s.baselines()
	s.checkOverlap()
	for _, inc := range s.incarnations {
		if s.refused != "" {
			return total, false
		}
		if inc.start == -1 && len(baselines) > 0 {
			continue // these samples are where other incarnations start
		}
		chains := s.chain(inc)
		for i, c := range chains {
			var base point
			switch {
			case i > 0: // after a fall the counter began at 0
			case inc.base != nil && inc.base.value <= c.first.value:
				base = *inc.base
			case inc.base != nil: // it fell between since and the first sample
			case inc.start == -1, s.beganBefore(inc.start) && (s.reporting == nil || !s.reporting(inc.start)):
				base = c.first
			default:
				base = baselines[inc.start]
			}
			if inc.start > 0 && i == 0 && inc.base == nil && base.time == 0 && inc.start < s.firstTime {
				s.firstTime = inc.start
			}
			if inc.start == -1 && inc.base == nil && c.first.time == c.last.time && len(chains) == 1 {
				continue // one sample of unknown start says nothing
			}
			known = true
			s.follows(c.first.time, c.first.value-base.value, c.first.sum-base.sum)
			d := c.last.distribution(s.id.Kind)
			if s.badBounds {
				d.noBuckets = true
			}
			b := base.distribution(s.id.Kind)
			d.subtract(&b)
			total.add(&d)
		}
	}
	return total, known && s.refused == ""
}

// beganBefore reports whether an incarnation is known to have begun before the
// window.
func (s *stream) beganBefore(start int64) bool {
	return s.window.since != 0 && start != 0 && start < s.window.since
}

// baselines returns, by start time, the samples that say what a counter of
// unknown start stood at when its first incarnation was opened.
func (s *stream) baselines() map[int64]point {
	out := map[int64]point{}
	for _, p := range s.unknown {
		for _, inc := range s.incarnations {
			if inc.start == p.time {
				out[p.time] = p
			}
		}
	}
	return out
}

// checkOverlap refuses a stream of which two incarnations report at once.
func (s *stream) checkOverlap() {
	type span struct{ from, to int64 }
	var spans []span
	for _, inc := range s.incarnations {
		if inc.bounces >= 2 && inc.bounces*2 >= inc.falls {
			s.refused = "its value jumps back and forth: two writers of one identity"
			return
		}
		if inc.start <= 0 || len(inc.runs) == 0 {
			continue
		}
		x := span{math.MaxInt64, 0}
		for _, r := range inc.runs {
			x.from, x.to = min(x.from, r.first.time), max(x.to, r.last.time)
		}
		spans = append(spans, x)
	}
	slices.SortFunc(spans, func(a, b span) int { return int(min(1, max(-1, a.from-b.from))) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			s.refused = "two start times report at once: two writers of one identity"
			return
		}
	}
}

// chain sorts an incarnation's runs by time and joins those between which
// nothing fell. Runs that overlap must agree, or the stream is refused.
func (s *stream) chain(inc *incarnation) []run {
	runs := inc.runs
	slices.SortStableFunc(runs, func(a, b run) int {
		if a.first.time != b.first.time {
			return int(min(1, max(-1, a.first.time-b.first.time)))
		}
		return a.segment - b.segment
	})
	var out []run
	for _, r := range runs {
		if len(out) == 0 {
			out = append(out, r)
			continue
		}
		a := &out[len(out)-1]
		switch {
		case r.first.time > a.last.time || r.first.time == 0:
			if r.first.value < a.last.value {
				out = append(out, r)
				continue
			}
			s.follows(r.first.time, r.first.value-a.last.value, r.first.sum-a.last.sum)
			a.last = r.last
		case r.first.value < a.first.value,
			r.first.value > a.last.value,
			r.first.time == a.last.time && r.first.value != a.last.value,
			r.last.time >= a.last.time && r.last.value < a.last.value,
			r.last.time <= a.last.time && r.last.value > a.last.value:
			s.refused = "samples from several files contradict each other: two writers of one identity"
			return nil
		case r.last.time > a.last.time:
			a.last = r.last
		}
	}
	return out
}

// distribution turns a cumulative sample into a distribution.
func (p *point) distribution(kind telemetry.Kind) distribution {
	d := distribution{parts: 1, count: p.value, sum: p.sum, hasSum: p.hasSum, extremes: p.extremes}
	switch kind {
	case telemetry.Sum, telemetry.UpDown, telemetry.Gauge:
		d.hasSum = true
	case telemetry.Histogram:
		if len(p.buckets) == 0 {
			d.noBuckets = p.value > 0
			return d
		}
		d.bounds = p.bounds
		d.buckets = make([]float64, len(p.buckets))
		for i, n := range p.buckets {
			d.buckets[i] = float64(n)
		}
	case telemetry.ExpHistogram:
		d.exp = make(map[int32]float64, len(p.buckets))
		d.scale, d.zero = p.scale, float64(p.zero)
		for i, n := range p.buckets {
			if n > 0 {
				d.exp[p.offset+int32(i)] = float64(n)
			}
		}
	case telemetry.Summary:
		d.noBuckets = p.value > 0
	}
	return d
}

// subtract takes an earlier sample of the same run away. The extremes stay: those
// of the whole life bound what is left of it too.
func (d *distribution) subtract(o *distribution) {
	if o.count == 0 && o.sum == 0 {
		return
	}
	d.count -= o.count
	d.sum -= o.sum
	if d.sum < 0 { // what is measured is not; rounding may be
		d.hasSum = d.hasSum && -d.sum < 1e-9*o.sum
		d.sum = 0
	}
	if d.buckets != nil {
		if len(o.buckets) != len(d.buckets) || !slices.Equal(o.bounds, d.bounds) {
			d.noBuckets = true
			return
		}
		for i, n := range o.buckets {
			d.buckets[i] -= n
			d.noBuckets = d.noBuckets || d.buckets[i] < 0 // it was not earlier of the same
		}
	}
	if d.exp != nil {
		negative := distribution{scale: o.scale, zero: -o.zero, exp: map[int32]float64{}}
		for i, n := range o.exp {
			negative.exp[i] = -n
		}
		d.addExp(&negative)
		for _, n := range d.exp {
			d.noBuckets = d.noBuckets || n < 0
		}
	}
}
