package otlpjson

import (
	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func (d *Decoder) spanScopes() {
	if !d.s.Array() {
		return
	}
	for d.s.Next() {
		if !d.s.Object() {
			continue
		}
		for {
			key, ok := d.s.Key()
			if !ok {
				break
			}
			if string(key) != "spans" {
				d.s.Skip()
				continue
			}
			if !d.s.Array() {
				continue
			}
			for d.s.Next() {
				d.batch.SpanN++
				if d.s.Object() {
					d.readSpan()
				}
			}
		}
	}
}

// head is what a span says of itself besides its attributes. Most spans turn
// out not to be wanted: ids and times stay text till then.
type head struct {
	name, trace, id, parent, start, end []byte
	client                              bool
}

func (d *Decoder) readSpan() {
	s, b := d.s, d.span
	b.Reset()
	var h head
	d.usual(&h)
	for {
		key, more := s.Key()
		if !more {
			break
		}
		switch string(key) {
		case "traceId", "trace_id", "traceID":
			h.trace = s.Text()
		case "spanId", "span_id", "spanID":
			h.id = s.Text()
		case "parentSpanId", "parent_span_id", "parentSpanID":
			h.parent = s.Text()
		case "name":
			h.name = s.Text()
		case "kind":
			h.client = isClient(s.Text())
		case "startTimeUnixNano", "start_time_unix_nano":
			h.start = s.Text()
		case "endTimeUnixNano", "end_time_unix_nano":
			h.end = s.Text()
		case "attributes":
			d.spanAttrs()
		case "status":
			d.status()
		default:
			s.Skip()
		}
	}
	if s.Err() != nil {
		return
	}
	if !b.Build(h.name, h.client) {
		return
	}
	goodID := telemetry.DecodeID(h.trace, b.Trace[:])
	goodID = telemetry.DecodeID(h.id, b.ID[:]) && goodID
	goodID = telemetry.DecodeID(h.parent, b.Parent[:]) && goodID
	goodTime := readTime(h.start, &b.Start)
	goodTime = readTime(h.end, &b.End) && goodTime
	switch {
	case !goodID:
		d.batch.Skip(telemetry.ReasonID, d.where)
	case !goodTime || b.Start < 0 || b.End < b.Start || b.End == 0:
		d.batch.Skip(telemetry.ReasonTimes, d.where)
	default:
		d.batch.Spans = append(d.batch.Spans, b.Span)
	}
}

// usual reads the fields that a span begins with, as far as they come in the
// order, the spelling and the lengths of nearly all exporters. Comparing them
// with what is expected takes a fraction of the time of finding out.
func (d *Decoder) usual(h *head) {
	const idDigits, timeDigits = 16, 19
	s := d.s
	if h.trace = s.Field(`"traceId":"`, 2*idDigits); h.trace == nil {
		return
	}
	if h.id = s.Field(`,"spanId":"`, idDigits); h.id == nil {
		return
	}
	h.parent = s.Field(`,"parentSpanId":"`, idDigits)
	if s.Literal(`,"name":`) {
		h.name = s.Text()
	}
	if s.Literal(`,"kind":`) {
		h.client = isClient(s.Text())
	}
	h.start = s.Field(`,"startTimeUnixNano":"`, timeDigits)
	h.end = s.Field(`,"endTimeUnixNano":"`, timeDigits)
	if s.Literal(`,"attributes":`) {
		d.spanAttrs()
	}
	if s.Literal(`,"status":`) {
		d.status()
	}
}

func isClient(kind []byte) bool { return string(kind) == "3" || string(kind) == "SPAN_KIND_CLIENT" }

func (d *Decoder) spanAttrs() {
	s := d.s
	list, from := s.Flat(), s.Pos()
	if len(list) > 0 && d.span.Recall(list) {
		s.Seek(from + len(list))
		return
	}
	eachAttr(s, d.span.Attr)
	if s.Err() == nil && s.Pos() == from+len(list) {
		d.span.Remember(list)
	}
}

func (d *Decoder) status() {
	s := d.s
	if s.Literal("{}") || !s.Object() {
		return
	}
	for {
		field, more := s.Key()
		if !more {
			return
		}
		text := s.Text()
		if string(field) == "code" {
			d.span.Failed = string(text) == "2" || string(text) == "STATUS_CODE_ERROR"
		}
	}
}

// readTime reads nanoseconds since 1970; without a text they are 0.
func readTime(text []byte, to *int64) (ok bool) {
	if text == nil {
		return true
	}
	*to, ok = jsonscan.ParseInt(text)
	return ok
}
