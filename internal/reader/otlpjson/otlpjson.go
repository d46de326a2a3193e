// Package otlpjson decodes OTLP's JSON: metrics and traces as the collector's
// file exporter, the SDKs and Tempo write them, with what implementations
// differ in: ids in hex or base64, 64-bit integers as strings or numbers, enums
// as numbers or names, fields in any order, old and new names of fields.
package otlpjson

import (
	"bytes"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Decoder decodes documents. One per goroutine.
type Decoder struct {
	cache   *telemetry.Cache
	catalog *telemetry.Catalog
	intern  func([]byte) string
	span    *telemetry.SpanBuilder

	s     *jsonscan.Scanner
	batch *telemetry.Batch
	where string

	resource *telemetry.ResourceCache
	scope    string
	points   [][]byte // raw attributes of the samples of the metric at hand

	lists       map[string]bool // of points' attributes, raw, that were seen whole
	start, time lastTime        // of points

	boundsRaw  []byte // the last explicit bounds
	boundsLast []float64
	boundsGood bool
}

// Bounds of what a decoder remembers of points' attributes: how many lists, and
// how long one may be. A full memory starts over.
const (
	maxLists = 1 << 13
	maxList  = 1 << 10
)

// New returns a decoder that interns in registry.
func New(registry *telemetry.Registry) *Decoder {
	intern := telemetry.NewInterner(registry).Intern
	return &Decoder{
		cache: telemetry.NewCache(registry), catalog: registry.Catalog(),
		intern: intern, span: telemetry.NewSpanBuilder(registry), lists: map[string]bool{},
	}
}

// Metrics decodes the value of resourceMetrics; s is before it. Errors are the
// scanner's. where names the place for what is left out.
func (d *Decoder) Metrics(s *jsonscan.Scanner, batch *telemetry.Batch, where string) {
	d.s, d.batch, d.where = s, batch, where
	d.groups(d.metricScopes)
}

// Spans decodes the value of resourceSpans (or Tempo's batches).
func (d *Decoder) Spans(s *jsonscan.Scanner, batch *telemetry.Batch, where string) {
	d.s, d.batch, d.where = s, batch, where
	d.groups(d.spanScopes)
}

// groups walks resourceMetrics or resourceSpans. A resource may come after
// what belongs to it, which is then walked late.
func (d *Decoder) groups(scopes func()) {
	if !d.s.Array() {
		return
	}
	for d.s.Next() {
		if !d.s.Object() {
			continue
		}
		d.resource = nil
		var late []int
		for {
			key, ok := d.s.Key()
			if !ok {
				break
			}
			switch string(key) {
			case "resource":
				d.readResource()
			case "scopeMetrics", "scope_metrics", "instrumentationLibraryMetrics", "instrumentation_library_metrics",
				"scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans":
				if d.resource == nil {
					late = append(late, d.s.Pos())
					d.s.Skip()
					continue
				}
				scopes()
			default:
				d.s.Skip()
			}
		}
		if len(late) == 0 {
			continue
		}
		if d.resource == nil {
			d.resource = d.noResource()
		}
		end := d.s.Pos()
		for _, pos := range late {
			d.s.Seek(pos)
			scopes()
		}
		d.s.Seek(end)
	}
}

func (d *Decoder) noResource() *telemetry.ResourceCache {
	if r := d.cache.Resource(nil); r != nil {
		return r
	}
	return d.cache.AddResource(nil, nil)
}

func (d *Decoder) readResource() {
	raw := d.s.Raw()
	if d.s.Err() != nil {
		return
	}
	if d.resource = d.cache.Resource(raw); d.resource != nil {
		return
	}
	var s jsonscan.Scanner
	s.Init(raw)
	var attrs []telemetry.Attr
	if s.Object() {
		for {
			key, ok := s.Key()
			if !ok {
				break
			}
			if string(key) == "attributes" {
				attrs = readAttrs(&s, d.intern)
				continue
			}
			s.Skip()
		}
	}
	d.s.Fail(s.Err())
	if s.Err() == nil {
		d.resource = d.cache.AddResource(raw, attrs)
	}
}

// readAttrs decodes a list of key-value pairs.
func readAttrs(s *jsonscan.Scanner, intern func([]byte) string) []telemetry.Attr {
	var attrs []telemetry.Attr
	eachAttr(s, func(key, value []byte) {
		attrs = append(attrs, telemetry.Attr{Key: intern(key), Value: intern(value)})
	})
	return attrs
}

// eachAttr calls f for each pair; value is the text of the value. Both are
// valid during the call only.
func eachAttr(s *jsonscan.Scanner, f func(key, value []byte)) {
	if !s.Array() {
		return
	}
	for s.Next() {
		if key, value, ok := s.KeyValue(); ok {
			f(key, value)
			continue
		}
		if !s.Object() {
			continue
		}
		var key, value []byte
		for {
			field, ok := s.Key()
			if !ok {
				break
			}
			switch string(field) {
			case "key":
				key = s.Text()
			case "value":
				value = readValue(s)
			default:
				s.Skip()
			}
		}
		if s.Err() == nil {
			f(key, value)
		}
	}
}

// readValue returns the text of an AnyValue: of {"stringValue": ...} and its
// siblings, also when wrapped once more in {"Value": {"StringValue": ...}}.
func readValue(s *jsonscan.Scanner) []byte {
	if s.Peek() != '{' {
		return s.Text()
	}
	s.Object()
	var text []byte
	for {
		field, ok := s.Key()
		if !ok {
			return text
		}
		switch string(field) {
		case "Value", "value":
			text = readValue(s)
		default:
			text = s.Text()
		}
	}
}

func (d *Decoder) metricScopes() {
	if !d.s.Array() {
		return
	}
	for d.s.Next() {
		if !d.s.Object() {
			continue
		}
		d.scope = ""
		haveScope := false
		var late []int
		for {
			key, ok := d.s.Key()
			if !ok {
				break
			}
			switch string(key) {
			case "scope", "instrumentationLibrary", "instrumentation_library":
				d.readScope()
				haveScope = true
			case "metrics":
				if !haveScope {
					late = append(late, d.s.Pos())
					d.s.Skip()
					continue
				}
				d.metrics()
			default:
				d.s.Skip()
			}
		}
		if len(late) > 0 {
			end := d.s.Pos()
			for _, pos := range late {
				d.s.Seek(pos)
				d.metrics()
			}
			d.s.Seek(end)
		}
	}
}

func (d *Decoder) readScope() {
	if !d.s.Object() {
		return
	}
	for {
		key, ok := d.s.Key()
		if !ok {
			return
		}
		if string(key) == "name" {
			d.scope = d.intern(d.s.Text())
			continue
		}
		d.s.Skip()
	}
}

func (d *Decoder) metrics() {
	if !d.s.Array() {
		return
	}
	for d.s.Next() {
		if d.s.Object() {
			d.metric()
		}
	}
}

// metric decodes one metric; its name may come after its data.
func (d *Decoder) metric() {
	var m contract.Metric
	known, wanted := false, false
	late, lateKind := -1, telemetry.Sum
	for {
		key, ok := d.s.Key()
		if !ok {
			break
		}
		kind := telemetry.Sum
		switch string(key) {
		case "name":
			known = true
			m, wanted = d.catalog.Metric(d.s.Text())
			continue
		case "sum":
		case "gauge":
			kind = telemetry.Gauge
		case "histogram":
			kind = telemetry.Histogram
		case "exponentialHistogram", "exponential_histogram":
			kind = telemetry.ExpHistogram
		case "summary":
			kind = telemetry.Summary
		default:
			d.s.Skip()
			continue
		}
		if known {
			d.data(m, kind, wanted)
			continue
		}
		late, lateKind = d.s.Pos(), kind
		d.s.Skip()
	}
	if late >= 0 && d.s.Err() == nil {
		end := d.s.Pos()
		d.s.Seek(late)
		d.data(m, lateKind, wanted)
		d.s.Seek(end)
	}
}

// data decodes a sum, gauge or histogram. Its temporality may come after its
// points, so that streams are looked up at the end.
func (d *Decoder) data(m contract.Metric, kind telemetry.Kind, wanted bool) {
	if !d.s.Object() {
		return
	}
	temporality, monotonic := telemetry.Unspecified, false
	if kind == telemetry.Gauge || kind == telemetry.Summary {
		temporality = telemetry.Cumulative
	}
	first := len(d.batch.Samples)
	d.points = d.points[:0]
	for {
		key, ok := d.s.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "dataPoints", "data_points":
			if !d.s.Array() {
				continue
			}
			for d.s.Next() {
				d.batch.Points++
				if !wanted {
					d.s.Skip()
				} else if d.s.Object() {
					d.point(kind)
				}
			}
		case "aggregationTemporality", "aggregation_temporality":
			switch string(d.s.Text()) {
			case "1", "AGGREGATION_TEMPORALITY_DELTA":
				temporality = telemetry.Delta
			case "2", "AGGREGATION_TEMPORALITY_CUMULATIVE":
				temporality = telemetry.Cumulative
			}
		case "isMonotonic", "is_monotonic":
			monotonic = string(d.s.Text()) == "true"
		default:
			d.s.Skip()
		}
	}
	if d.s.Err() != nil || !wanted {
		return
	}
	if kind == telemetry.Sum && !monotonic {
		kind = telemetry.UpDown
	}
	kind = telemetry.KindOf(m, kind)
	samples := d.batch.Samples[first:]
	if temporality == telemetry.Unspecified {
		d.batch.SkipN(telemetry.ReasonTemporality, d.where, int64(len(samples)))
		d.batch.Samples = d.batch.Samples[:first]
		return
	}
	mc := d.resource.Metric(d.scope, m, kind, temporality)
	kept := 0
	for i := range samples {
		stream := mc.Stream(d.points[i])
		if stream == nil {
			var s jsonscan.Scanner
			var attrs []telemetry.Attr
			if d.points[i] != nil {
				s.Init(d.points[i])
				attrs = readAttrs(&s, d.intern)
			}
			var err error
			if stream, err = mc.AddStream(d.points[i], attrs); err != nil {
				d.batch.Skip(telemetry.ReasonTooManyStream, d.where)
				continue
			}
		}
		samples[kept] = samples[i]
		samples[kept].Stream = stream
		kept++
	}
	d.batch.Samples = d.batch.Samples[:first+kept]
}

// point decodes a data point and appends it to the batch, with its attributes
// raw in d.points.
func (d *Decoder) point(kind telemetry.Kind) {
	s := d.s
	var x telemetry.Sample
	var attrs []byte
	var flags int64
	value, good := false, true
	var ok bool
	if s.Literal(`"attributes":`) { // the order of most exporters, as far as it goes
		attrs = d.pointAttrs()
		if text := s.Field(`,"startTimeUnixNano":"`, timeDigits); text != nil {
			x.Start, ok = d.start.parse(text)
			good = good && ok
		}
		if text := s.Field(`,"timeUnixNano":"`, timeDigits); text != nil {
			x.Time, ok = d.time.parse(text)
			good = good && ok
		}
	}
	for {
		key, more := s.Key()
		if !more {
			break
		}
		switch string(key) {
		case "attributes":
			attrs = d.pointAttrs()
		case "startTimeUnixNano", "start_time_unix_nano":
			x.Start, ok = s.Int64()
			good = good && ok
		case "timeUnixNano", "time_unix_nano":
			x.Time, ok = s.Int64()
			good = good && ok
		case "asInt", "as_int", "asDouble", "as_double":
			x.Value, ok = s.Float64()
			good, value = good && ok, true
		case "count":
			x.Count, ok = s.Uint64()
			good, value = good && ok, true
		case "sum":
			if s.Peek() == 'n' {
				s.Skip()
				continue
			}
			x.Value, ok = s.Float64()
			good, x.HasSum = good && ok, true
		case "min":
			x.Min, x.HasMin = optional(s)
		case "max":
			x.Max, x.HasMax = optional(s)
		case "bucketCounts", "bucket_counts":
			x.Buckets, ok = d.counts()
			good = good && ok
		case "explicitBounds", "explicit_bounds":
			x.Bounds, ok = d.bounds()
			good = good && ok
		case "scale":
			x.Scale, ok = s.Int32()
			good = good && ok
		case "zeroCount", "zero_count":
			x.Zero, ok = s.Uint64()
			good = good && ok
		case "positive":
			good = d.expBuckets(&x) && good
		case "negative":
			var negative telemetry.Sample
			good = d.expBuckets(&negative) && good
			for _, n := range negative.Buckets {
				x.Below += n
			}
		case "flags":
			flags, ok = s.Int64()
			good = good && ok
		default:
			s.Skip()
		}
	}
	if s.Err() != nil {
		return
	}
	if reason := check(&x, kind, flags, value, good); reason != "" {
		d.batch.Skip(reason, d.where)
		return
	}
	d.batch.Samples = append(d.batch.Samples, x)
	d.points = append(d.points, attrs)
}

// optional reads a number that may be null; one that can't be read is not known.
func optional(s *jsonscan.Scanner) (float64, bool) {
	if s.Peek() == 'n' {
		s.Skip()
		return 0, false
	}
	return s.Float64()
}

// timeDigits are those of a time in nanoseconds since 1970.
const timeDigits = 19

// lastTime is a time with its text: the points of an export share theirs.
type lastTime struct {
	text [timeDigits]byte
	at   int64
	good bool
}

func (l *lastTime) parse(text []byte) (at int64, ok bool) {
	if string(text) != string(l.text[:]) {
		copy(l.text[:], text)
		l.at, l.good = jsonscan.ParseInt(text)
	}
	return l.at, l.good
}

// pointAttrs returns a point's attributes, raw. Those of known lists are
// compared rather than looked through.
func (d *Decoder) pointAttrs() []byte {
	s := d.s
	list, from := s.Flat(), s.Pos()
	if d.lists[string(list)] {
		s.Seek(from + len(list))
		return list
	}
	raw := s.Raw()
	if s.Err() == nil && len(raw) == len(list) && len(raw) <= maxList {
		if len(d.lists) >= maxLists {
			clear(d.lists)
		}
		d.lists[string(raw)] = true
	}
	return raw
}

func check(x *telemetry.Sample, kind telemetry.Kind, flags int64, value, good bool) string {
	switch {
	case flags&1 != 0:
		return telemetry.ReasonNoRecorded
	case !good:
		return telemetry.ReasonNumber
	case !value && kind < telemetry.Histogram: // a count of 0 may be left out
		return telemetry.ReasonNoValue
	}
	return x.Fault(kind)
}

func (d *Decoder) counts() ([]uint64, bool) {
	if !d.s.Array() {
		return nil, true
	}
	good := true
	var local [64]uint64
	n := 0
	var long []uint64
	for d.s.Next() {
		c, ok := d.s.Uint64()
		good = good && ok
		if n < len(local) {
			local[n] = c
		} else {
			if n == len(local) {
				long = append(long, local[:]...)
			}
			long = append(long, c)
		}
		n++
	}
	if n > len(local) {
		return long, good
	}
	out := d.batch.Counts(n)
	copy(out, local[:n])
	return out, good
}

// bounds decodes explicit bounds, which are the same from point to point: the
// last ones are kept with their raw text.
func (d *Decoder) bounds() ([]float64, bool) {
	if len(d.boundsRaw) > 0 && bytes.Equal(d.s.Flat(), d.boundsRaw) {
		d.s.Seek(d.s.Pos() + len(d.boundsRaw))
		return d.boundsLast, d.boundsGood
	}
	raw := d.s.Raw()
	if d.s.Err() != nil {
		return nil, false
	}
	return d.boundsOf(raw)
}

func (d *Decoder) boundsOf(raw []byte) ([]float64, bool) {
	var s jsonscan.Scanner
	s.Init(raw)
	var bounds []float64
	good := true
	if s.Array() {
		for s.Next() {
			f, ok := s.Float64()
			good = good && ok
			bounds = append(bounds, f)
		}
	}
	if s.Err() != nil {
		d.s.Fail(s.Err())
		return nil, false
	}
	d.boundsRaw, d.boundsLast, d.boundsGood = bytes.Clone(raw), bounds, good
	return bounds, good
}

func (d *Decoder) expBuckets(x *telemetry.Sample) bool {
	if !d.s.Object() {
		return true
	}
	good := true
	for {
		key, more := d.s.Key()
		if !more {
			return good
		}
		switch string(key) {
		case "offset":
			var ok bool
			x.Offset, ok = d.s.Int32()
			good = good && ok
		case "bucketCounts", "bucket_counts":
			var ok bool
			x.Buckets, ok = d.counts()
			good = good && ok
		default:
			d.s.Skip()
		}
	}
}
