package promtext

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// maxFamily bounds the series of one family that are held until it ends.
const maxFamily = 1 << 16

// ReasonLine is why a line was left out.
const ReasonLine = "line that is no Prometheus sample"

// Decoder decodes lines in order. The numbers of a histogram, and a counter's
// start time, come on several lines, so that series are handed over when their
// family ends. Not safe for concurrent use.
type Decoder struct {
	catalog *telemetry.Catalog
	intern  func([]byte) string
	rc      *telemetry.ResourceCache
	sample  sample
	metric  contract.Metric // of the family at hand
	family  map[string]*series
	order   []*series
	key     []byte
}

// series is one series of a family, with all its lines.
type series struct {
	key        string
	attrs      []telemetry.Attr
	time       int64
	start      int64
	value, sum float64
	count      float64
	have       map[string]bool // which parts came
	buckets    []bucket
	where      string
}

type bucket struct{ le, count float64 }

// New returns a decoder that interns in registry.
func New(registry *telemetry.Registry) *Decoder {
	return &Decoder{
		catalog: registry.Catalog(), intern: registry.Intern, family: map[string]*series{},
		rc: telemetry.NewCache(registry).AddResource(nil, nil),
	}
}

var byteOrderMark = []byte("\ufeff")

// Line decodes one line.
func (d *Decoder) Line(line []byte, batch *telemetry.Batch, where string) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark)) // each of several files in a row may begin with one
	if len(line) == 0 {
		return
	}
	if line[0] == '#' {
		switch keyword, _ := comment(line); keyword {
		case "TYPE", "EOF":
			batch.Recognised = true
			d.Flush(batch)
		}
		return
	}
	s := &d.sample
	if !s.parse(line) {
		batch.Skip(ReasonLine, where)
		return
	}
	batch.Points++
	batch.Recognised = true
	m, part, ok := d.catalog.Family(s.name)
	if !ok {
		return
	}
	if m.Name != d.metric.Name {
		d.Flush(batch)
		d.metric = m
	}
	d.add(part, batch, where)
}

// add adds the line at hand to its series.
func (d *Decoder) add(part string, batch *telemetry.Batch, where string) {
	s := &d.sample
	le, quantile := math.NaN(), false
	d.key = d.key[:0]
	for _, l := range s.labels {
		switch string(l.key) {
		case "le":
			if part == "bucket" {
				if f, ok := number(l.value); ok {
					le = f
				}
				continue
			}
		case "quantile":
			quantile = true
			continue
		}
		d.key = append(append(append(append(d.key, l.key...), 0), l.value...), 0)
	}
	if quantile {
		return // what a summary computed itself can't be added up
	}
	if part == "bucket" && le != le {
		batch.Skip(ReasonLine, where)
		return
	}
	if s.value != s.value {
		batch.Skip(telemetry.ReasonNoRecorded, where) // NaN: stale
		return
	}
	x := d.family[string(d.key)]
	if x != nil && (part != "bucket" && x.have[part] || part == "bucket" && x.have["count"] && x.hasBucket(le)) {
		d.Flush(batch) // the next exposition begins
		x = nil
	}
	if x == nil {
		if len(d.order) >= maxFamily {
			d.Flush(batch)
		}
		x = &series{key: string(d.key), have: map[string]bool{}, where: where}
		for _, l := range s.labels {
			if k := string(l.key); k != "le" && k != "quantile" {
				x.attrs = append(x.attrs, telemetry.Attr{Key: d.intern(l.key), Value: d.intern(l.value)})
			}
		}
		d.family[x.key] = x
		d.order = append(d.order, x)
	}
	x.have[part] = true
	if s.time != 0 {
		x.time = s.time
	}
	switch part {
	case "":
		x.value = s.value
	case "sum":
		x.sum = s.value
	case "count":
		x.count = s.value
	case "created":
		x.start = int64(math.Round(s.value*1e3)) * 1e6
	case "bucket":
		x.buckets = append(x.buckets, bucket{le, s.value})
	}
}

func (x *series) hasBucket(le float64) bool {
	return slices.ContainsFunc(x.buckets, func(b bucket) bool { return b.le == le })
}

// Flush hands over the series of the family at hand.
func (d *Decoder) Flush(batch *telemetry.Batch) {
	for _, x := range d.order {
		d.emit(x, batch)
	}
	clear(d.family)
	d.order = d.order[:0]
}

func (d *Decoder) emit(x *series, batch *telemetry.Batch) {
	out := telemetry.Sample{Start: x.start, Time: x.time}
	if x.start != 0 && x.start == x.time {
		// OTLP says by a start equal to the time that the start is unknown;
		// OpenMetrics has no such sample. Its counter began at 0 and counted
		// within the resolution of the clock.
		out.Time++
	}
	kind := telemetry.KindOf(d.metric, telemetry.Gauge)
	switch {
	case x.have["count"] || x.have["bucket"]:
		kind = telemetry.Histogram
		slices.SortFunc(x.buckets, func(a, b bucket) int { return cmp.Compare(a.le, b.le) })
		if !x.have["count"] {
			if n := len(x.buckets); n == 0 || !math.IsInf(x.buckets[n-1].le, 1) {
				batch.Skip(telemetry.ReasonNoValue, x.where)
				return
			}
			x.count = x.buckets[len(x.buckets)-1].count
		}
		if !(x.count >= 0 && x.count < 1<<63) {
			batch.Skip(telemetry.ReasonNumber, x.where)
			return
		}
		out.Count, out.Value, out.HasSum = uint64(x.count), x.sum, x.have["sum"]
		if !d.fill(&out, x, batch) {
			return
		}
	case x.have[""]:
		if d.metric.Instrument == contract.Histogram {
			batch.Skip(telemetry.ReasonNoValue, x.where)
			return
		}
		out.Value = x.value
	default:
		if x.have["sum"] {
			batch.Skip(telemetry.ReasonNoValue, x.where)
		}
		return
	}
	mc := d.rc.Metric("", d.metric, kind, telemetry.Cumulative)
	out.Stream = mc.Stream([]byte(x.key))
	if out.Stream == nil {
		var err error
		if out.Stream, err = mc.AddStream([]byte(x.key), x.attrs); err != nil {
			batch.Skip(telemetry.ReasonTooManyStream, x.where)
			return
		}
	}
	batch.Samples = append(batch.Samples, out)
}

// fill turns cumulative buckets into counts of their own.
func (d *Decoder) fill(out *telemetry.Sample, x *series, batch *telemetry.Batch) bool {
	if len(x.buckets) == 0 {
		return true
	}
	n := len(x.buckets)
	if math.IsInf(x.buckets[n-1].le, 1) {
		n--
	}
	out.Bounds = make([]float64, n)
	out.Buckets = batch.Counts(n + 1)
	before := 0.0
	for i, b := range x.buckets[:n] {
		if b.count < before {
			batch.Skip(telemetry.ReasonBuckets, x.where)
			return false
		}
		out.Bounds[i] = b.le
		out.Buckets[i] = uint64(b.count - before)
		before = b.count
	}
	if x.count < before {
		batch.Skip(telemetry.ReasonBuckets, x.where)
		return false
	}
	out.Buckets[n] = uint64(x.count - before)
	return true
}
