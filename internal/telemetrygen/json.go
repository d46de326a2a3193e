package telemetrygen

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
)

// JSONOptions are the ways in which OTLP's JSON differs in the wild.
type JSONOptions struct {
	NumberInts bool // 64-bit integers as numbers
	EnumNames  bool // enums by name
	Base64IDs  bool // ids as protobuf's own JSON has them
	OldNames   bool // instrumentationLibraryMetrics and its like
	Batches    bool // Tempo's batches
	Reverse    bool // fields in reverse order
}

// MetricsJSON returns the export's metrics as one line of OTLP's JSON; nil
// when it has none.
func (e *Export) MetricsJSON(o JSONOptions) []byte {
	if len(e.Metrics) == 0 {
		return nil
	}
	w := jsonWriter{o}
	var metrics []any
	for i := range e.Metrics {
		metrics = append(metrics, w.metric(&e.Metrics[i]))
	}
	scopes, scope := "scopeMetrics", "scope"
	if o.OldNames {
		scopes, scope = "instrumentationLibraryMetrics", "instrumentationLibrary"
	}
	return w.line(fields{{"resourceMetrics", []any{fields{
		{"resource", fields{{"attributes", w.attrs(e.Resource)}}},
		{scopes, []any{fields{
			{scope, fields{{"name", Scope}, {"version", "0.1.0"}}},
			{"metrics", metrics},
		}}},
	}}}})
}

// SpansJSON returns the export's spans as one line; nil when it has none.
func (e *Export) SpansJSON(o JSONOptions) []byte {
	if len(e.Spans) == 0 {
		return nil
	}
	w := jsonWriter{o}
	var spans []any
	for i := range e.Spans {
		spans = append(spans, w.span(&e.Spans[i]))
	}
	root, scopes, scope := "resourceSpans", "scopeSpans", "scope"
	if o.OldNames {
		scopes, scope = "instrumentationLibrarySpans", "instrumentationLibrary"
	}
	if o.Batches {
		root = "batches"
	}
	return w.line(fields{{root, []any{fields{
		{"resource", fields{{"attributes", w.attrs(e.Resource)}}},
		{scopes, []any{fields{{scope, fields{{"name", Scope}}}, {"spans", spans}}}},
	}}}})
}

type field struct {
	key   string
	value any
}

// fields is an object whose fields are written in order.
type fields []field

type jsonWriter struct{ JSONOptions }

func (w jsonWriter) line(v any) []byte { return append(w.append(nil, v), '\n') }

func (w jsonWriter) append(b []byte, v any) []byte {
	switch v := v.(type) {
	case fields:
		if w.Reverse {
			v = slices.Clone(v)
			slices.Reverse(v)
		}
		b = append(b, '{')
		for i, f := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendQuote(b, f.key)
			b = append(b, ':')
			b = w.append(b, f.value)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = w.append(b, x)
		}
		return append(b, ']')
	case int64:
		if w.NumberInts {
			return strconv.AppendInt(b, v, 10)
		}
		b = append(b, '"')
		return append(strconv.AppendInt(b, v, 10), '"')
	case uint64:
		return w.append(b, int64(v))
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only scalars come here
	}
	return append(b, text...)
}

func (w jsonWriter) attrs(attrs []Attr) []any {
	out := []any{}
	for _, a := range attrs {
		var value fields
		switch v := a.Value.(type) {
		case string:
			value = fields{{"stringValue", v}}
		case bool:
			value = fields{{"boolValue", v}}
		case int:
			value = fields{{"intValue", int64(v)}}
		case float64:
			value = fields{{"doubleValue", v}}
		}
		out = append(out, fields{{"key", a.Key}, {"value", value}})
	}
	return out
}

func nanos(t time.Time) int64 { return t.UnixNano() }

func (w jsonWriter) metric(m *Metric) fields {
	var points []any
	kind := "sum"
	for i := range m.Points {
		p := &m.Points[i]
		f := fields{{"attributes", w.attrs(p.Attrs)}, {"startTimeUnixNano", nanos(p.Start)}, {"timeUnixNano", nanos(p.Time)}}
		switch h := p.Hist; {
		case h == nil:
			f = append(f, field{"asInt", int64(p.Value)})
		case h.Exp != nil:
			kind = "exponentialHistogram"
			offset, buckets := h.dense()
			var counts []any
			for _, n := range buckets {
				counts = append(counts, n)
			}
			f = append(f, field{"count", h.Count}, field{"sum", h.Sum}, field{"scale", expScale}, field{"zeroCount", h.Zero},
				field{"positive", fields{{"offset", offset}, {"bucketCounts", counts}}}, field{"negative", fields{}})
		default:
			kind = "histogram"
			var counts, bounds []any
			for _, n := range h.Buckets {
				counts = append(counts, n)
			}
			for _, b := range h.Bounds {
				bounds = append(bounds, b)
			}
			f = append(f, field{"count", h.Count}, field{"sum", h.Sum}, field{"bucketCounts", counts}, field{"explicitBounds", bounds})
		}
		points = append(points, f)
	}
	var temporality any = 2
	if m.Delta {
		temporality = 1
	}
	if w.EnumNames {
		temporality = "AGGREGATION_TEMPORALITY_CUMULATIVE"
		if m.Delta {
			temporality = "AGGREGATION_TEMPORALITY_DELTA"
		}
	}
	data := fields{{"dataPoints", points}, {"aggregationTemporality", temporality}}
	if kind == "sum" {
		data = append(data, field{"isMonotonic", m.Instrument == contract.Counter})
	}
	return fields{{"name", m.Name}, {"unit", m.Unit}, {kind, data}}
}

// dense returns exponential buckets as a list from an offset.
func (h *Hist) dense() (offset int, buckets []uint64) {
	if len(h.Exp) == 0 {
		return 0, nil
	}
	lo, hi := 1<<30, -(1 << 30)
	for i := range h.Exp {
		lo, hi = min(lo, i), max(hi, i)
	}
	buckets = make([]uint64, hi-lo+1)
	for i, n := range h.Exp {
		buckets[i-lo] = n
	}
	return lo, buckets
}

func (w jsonWriter) id(id []byte) string {
	if w.Base64IDs {
		return base64.StdEncoding.EncodeToString(id)
	}
	return hex.EncodeToString(id)
}

func (w jsonWriter) span(s *Span) fields {
	var kind any = 1
	var code any = 0
	if s.Failed {
		code = 2
	}
	if w.EnumNames {
		kind, code = "SPAN_KIND_INTERNAL", "STATUS_CODE_UNSET"
		if s.Failed {
			code = "STATUS_CODE_ERROR"
		}
	}
	f := fields{{"traceId", w.id(s.Trace[:])}, {"spanId", w.id(s.ID[:])}}
	if s.Parent != [8]byte{} {
		f = append(f, field{"parentSpanId", w.id(s.Parent[:])})
	}
	return append(f, fields{{"name", s.Name}, {"kind", kind}, {"startTimeUnixNano", nanos(s.Start)}, {"endTimeUnixNano", nanos(s.End)},
		{"attributes", w.attrs(s.Attrs)}, {"status", fields{{"code", code}}}}...)
}
