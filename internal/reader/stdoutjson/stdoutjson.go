// Package stdoutjson decodes what the Go SDK's stdout exporters print: the Go
// structures of metrics and spans as JSON, which name no type and are not
// OTLP's.
package stdoutjson

import (
	"math"
	"time"

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
}

// New returns a decoder that interns in registry.
func New(registry *telemetry.Registry) *Decoder {
	intern := telemetry.NewInterner(registry).Intern
	return &Decoder{
		cache: telemetry.NewCache(registry), catalog: registry.Catalog(),
		intern: intern, span: telemetry.NewSpanBuilder(registry),
	}
}

// Owns reports whether a document whose first key is key is one of these.
func Owns(key []byte) bool {
	switch string(key) {
	case "Name", "SpanContext", "Parent", "SpanKind", "Resource", "ScopeMetrics":
		return true
	}
	return false
}

// Document decodes the object that s is before; false when it is neither
// metrics nor a span.
func (d *Decoder) Document(s *jsonscan.Scanner, batch *telemetry.Batch, where string) bool {
	start := s.Pos()
	if !s.Object() {
		return false
	}
	metrics, span := false, false
	var resource []byte
	for {
		key, ok := s.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "Resource":
			resource = s.Raw()
			continue
		case "ScopeMetrics":
			metrics = true
		case "SpanContext":
			span = true
		}
		s.Skip()
	}
	end := s.Pos()
	if s.Err() != nil || !metrics && !span {
		return false
	}
	s.Seek(start)
	if span {
		d.readSpan(s, batch, where)
	} else {
		d.metrics(s, batch, where, d.resource(resource))
	}
	s.Seek(end)
	return true
}

func (d *Decoder) resource(raw []byte) *telemetry.ResourceCache {
	if rc := d.cache.Resource(raw); rc != nil {
		return rc
	}
	return d.cache.AddResource(raw, d.attrs(raw))
}

func (d *Decoder) attrs(raw []byte) []telemetry.Attr {
	var attrs []telemetry.Attr
	if raw == nil {
		return nil
	}
	var s jsonscan.Scanner
	s.Init(raw)
	eachAttr(&s, func(key, value []byte) {
		attrs = append(attrs, telemetry.Attr{Key: d.intern(key), Value: d.intern(value)})
	})
	return attrs
}

// eachAttr calls f for each attribute of a list, which may be null.
func eachAttr(s *jsonscan.Scanner, f func(key, value []byte)) {
	if !s.Array() {
		return
	}
	for s.Next() {
		if !s.Object() {
			continue
		}
		var key, value []byte
		for {
			name, ok := s.Key()
			if !ok {
				break
			}
			switch string(name) {
			case "Key":
				key = s.Text()
			case "Value":
				if !s.Object() {
					continue
				}
				for {
					part, ok := s.Key()
					if !ok {
						break
					}
					if string(part) == "Value" {
						value = s.Text()
						continue
					}
					s.Skip()
				}
			default:
				s.Skip()
			}
		}
		if s.Err() == nil {
			f(key, value)
		}
	}
}

func (d *Decoder) metrics(s *jsonscan.Scanner, batch *telemetry.Batch, where string, rc *telemetry.ResourceCache) {
	s.Object()
	for {
		key, ok := s.Key()
		if !ok {
			return
		}
		if string(key) != "ScopeMetrics" || !s.Array() {
			if string(key) != "ScopeMetrics" {
				s.Skip()
			}
			continue
		}
		for s.Next() {
			d.scope(s, batch, where, rc)
		}
	}
}

func (d *Decoder) scope(s *jsonscan.Scanner, batch *telemetry.Batch, where string, rc *telemetry.ResourceCache) {
	if !s.Object() {
		return
	}
	scope := ""
	for {
		key, ok := s.Key()
		if !ok {
			return
		}
		switch string(key) {
		case "Scope":
			if !s.Object() {
				continue
			}
			for {
				part, ok := s.Key()
				if !ok {
					break
				}
				if string(part) == "Name" {
					scope = d.intern(s.Text())
					continue
				}
				s.Skip()
			}
		case "Metrics":
			if !s.Array() {
				continue
			}
			for s.Next() {
				d.metric(s, batch, where, rc, scope)
			}
		default:
			s.Skip()
		}
	}
}

func (d *Decoder) metric(s *jsonscan.Scanner, batch *telemetry.Batch, where string, rc *telemetry.ResourceCache, scope string) {
	if !s.Object() {
		return
	}
	var m contract.Metric
	wanted := false
	var data []byte
	for {
		key, ok := s.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "Name":
			m, wanted = d.catalog.Metric(s.Text())
		case "Data":
			data = s.Raw()
		default:
			s.Skip()
		}
	}
	if s.Err() != nil || data == nil {
		return
	}
	var inner jsonscan.Scanner
	inner.Init(data)
	d.data(&inner, batch, where, rc, scope, m, wanted)
	s.Fail(inner.Err())
}

// point is a data point whose kind is not known yet.
type point struct {
	x     telemetry.Sample
	attrs []byte
	skip  string
	value bool
}

func (d *Decoder) data(s *jsonscan.Scanner, batch *telemetry.Batch, where string, rc *telemetry.ResourceCache, scope string, m contract.Metric, wanted bool) {
	if !s.Object() {
		return
	}
	kind, temporality := telemetry.Gauge, telemetry.Cumulative
	var points []point
	for {
		key, ok := s.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "DataPoints":
			if !s.Array() {
				continue
			}
			for s.Next() {
				batch.Points++
				if !wanted {
					s.Skip()
					continue
				}
				p, k := d.point(s, batch)
				if k != telemetry.Gauge {
					kind = k
				}
				points = append(points, p)
			}
		case "Temporality":
			switch text := string(s.Text()); text {
			case "DeltaTemporality":
				temporality = telemetry.Delta
			case "CumulativeTemporality":
			default:
				temporality = telemetry.Unspecified
			}
		case "IsMonotonic":
			kind = telemetry.UpDown
			if string(s.Text()) == "true" {
				kind = telemetry.Sum
			}
		default:
			s.Skip()
		}
	}
	if s.Err() != nil || !wanted {
		return
	}
	if temporality == telemetry.Unspecified {
		batch.SkipN(telemetry.ReasonTemporality, where, int64(len(points)))
		return
	}
	kind = telemetry.KindOf(m, kind)
	mc := rc.Metric(scope, m, kind, temporality)
	for i := range points {
		p := &points[i]
		switch {
		case p.skip != "":
		case !p.value:
			p.skip = telemetry.ReasonNoValue
		default:
			p.skip = p.x.Fault(kind)
		}
		if p.skip == "" {
			p.x.Stream = mc.Stream(p.attrs)
			if p.x.Stream == nil {
				var err error
				if p.x.Stream, err = mc.AddStream(p.attrs, d.attrs(p.attrs)); err != nil {
					p.skip = telemetry.ReasonTooManyStream
				}
			}
		}
		if p.skip != "" {
			batch.Skip(p.skip, where)
			continue
		}
		batch.Samples = append(batch.Samples, p.x)
	}
}

// point decodes a data point and tells by its fields what it is of; Gauge
// stands for a plain number.
func (d *Decoder) point(s *jsonscan.Scanner, batch *telemetry.Batch) (p point, kind telemetry.Kind) {
	kind = telemetry.Gauge
	if !s.Object() {
		return p, kind
	}
	good := true
	var ok bool
	for {
		key, more := s.Key()
		if !more {
			break
		}
		switch string(key) {
		case "Attributes":
			p.attrs = s.Raw()
		case "StartTime":
			p.x.Start, ok = instant(s.Text())
			good = good && ok
		case "Time":
			p.x.Time, ok = instant(s.Text())
			good = good && ok
		case "Value":
			p.x.Value, ok = s.Float64()
			good, p.value = good && ok, true
		case "Count":
			p.x.Count, ok = s.Uint64()
			good, p.value = good && ok, true
		case "Sum":
			p.x.Value, ok = s.Float64()
			good, p.x.HasSum = good && ok, true
		case "Min":
			p.x.Min, p.x.HasMin = extreme(s)
		case "Max":
			p.x.Max, p.x.HasMax = extreme(s)
		case "Bounds":
			kind = telemetry.Histogram
			if s.Array() {
				for s.Next() {
					f, ok := s.Float64()
					good = good && ok
					p.x.Bounds = append(p.x.Bounds, f)
				}
			}
		case "BucketCounts":
			kind = telemetry.Histogram
			p.x.Buckets, ok = counts(s)
			good = good && ok
		case "QuantileValues":
			kind = telemetry.Summary
			s.Skip()
		case "Scale":
			kind = telemetry.ExpHistogram
			p.x.Scale, ok = s.Int32()
			good = good && ok
		case "ZeroCount":
			p.x.Zero, ok = s.Uint64()
			good = good && ok
		case "PositiveBucket":
			good = buckets(s, &p.x) && good
		case "NegativeBucket":
			var negative telemetry.Sample
			good = buckets(s, &negative) && good
			for _, n := range negative.Buckets {
				p.x.Below += n
			}
		default:
			s.Skip()
		}
	}
	if !good {
		p.skip = telemetry.ReasonNumber
	}
	return p, kind
}

// extreme reads a smallest or largest value; null or an empty object is none.
func extreme(s *jsonscan.Scanner) (float64, bool) {
	if c := s.Peek(); c == 'n' || c == '{' {
		s.Skip()
		return 0, false
	}
	return s.Float64()
}

func counts(s *jsonscan.Scanner) (out []uint64, good bool) {
	good = true
	if !s.Array() {
		return nil, true
	}
	for s.Next() {
		n, ok := s.Uint64()
		good = good && ok
		out = append(out, n)
	}
	return out, good
}

func buckets(s *jsonscan.Scanner, x *telemetry.Sample) bool {
	if !s.Object() {
		return true
	}
	good := true
	for {
		key, more := s.Key()
		if !more {
			return good
		}
		switch string(key) {
		case "Offset":
			var ok bool
			x.Offset, ok = s.Int32()
			good = good && ok
		case "Counts":
			var ok bool
			x.Buckets, ok = counts(s)
			good = good && ok
		default:
			s.Skip()
		}
	}
}

func instant(text []byte) (int64, bool) {
	if len(text) == 0 {
		return 0, true
	}
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return 0, false
	}
	if t.IsZero() || t.Year() < 1971 {
		return 0, true
	}
	if t.After(time.Unix(0, math.MaxInt64)) {
		return 0, false
	}
	return t.UnixNano(), true
}

func (d *Decoder) readSpan(s *jsonscan.Scanner, batch *telemetry.Batch, where string) {
	batch.SpanN++
	b := d.span
	b.Reset()
	s.Object()
	var name []byte
	client, goodID, goodTime := false, true, true
	for {
		key, more := s.Key()
		if !more {
			break
		}
		var ok bool
		switch string(key) {
		case "Name":
			name = s.Text()
		case "SpanContext":
			goodID = context(s, b.Trace[:], b.ID[:]) && goodID
		case "Parent":
			var trace [16]byte
			goodID = context(s, trace[:], b.Parent[:]) && goodID
		case "SpanKind":
			client = string(s.Text()) == "3"
		case "StartTime":
			b.Start, ok = instant(s.Text())
			goodTime = goodTime && ok
		case "EndTime":
			b.End, ok = instant(s.Text())
			goodTime = goodTime && ok
		case "Attributes":
			eachAttr(s, b.Attr)
		case "Status":
			if !s.Object() {
				continue
			}
			for {
				part, more := s.Key()
				if !more {
					break
				}
				text := s.Text()
				if string(part) == "Code" {
					b.Failed = string(text) == "Error" || string(text) == "1"
				}
			}
		default:
			s.Skip()
		}
	}
	if s.Err() != nil {
		return
	}
	wanted := b.Build(name, client)
	switch {
	case !wanted:
	case !goodID:
		batch.Skip(telemetry.ReasonID, where)
	case !goodTime || b.Start < 0 || b.End < b.Start || b.End == 0:
		batch.Skip(telemetry.ReasonTimes, where)
	default:
		batch.Spans = append(batch.Spans, b.Span)
	}
}

// context decodes a span context's ids; that of a root's parent is all zeros.
func context(s *jsonscan.Scanner, trace, span []byte) bool {
	if !s.Object() {
		return true
	}
	good := true
	for {
		key, more := s.Key()
		if !more {
			return good
		}
		switch string(key) {
		case "TraceID":
			good = telemetry.DecodeID(s.Text(), trace) && good
		case "SpanID":
			good = telemetry.DecodeID(s.Text(), span) && good
		default:
			s.Skip()
		}
	}
}
