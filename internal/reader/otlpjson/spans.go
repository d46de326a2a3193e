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

func (d *Decoder) readSpan() {
	s, b := d.s, d.span
	b.Reset()
	// Most spans turn out not to be wanted: ids and times stay text till then.
	var name, trace, id, parent, start, end []byte
	client := false
	for {
		key, more := s.Key()
		if !more {
			break
		}
		switch string(key) {
		case "traceId", "trace_id", "traceID":
			trace = s.Text()
		case "spanId", "span_id", "spanID":
			id = s.Text()
		case "parentSpanId", "parent_span_id", "parentSpanID":
			parent = s.Text()
		case "name":
			name = s.Text()
		case "kind":
			switch string(s.Text()) {
			case "3", "SPAN_KIND_CLIENT":
				client = true
			}
		case "startTimeUnixNano", "start_time_unix_nano":
			start = s.Text()
		case "endTimeUnixNano", "end_time_unix_nano":
			end = s.Text()
		case "attributes":
			eachAttr(s, b.Attr)
		case "status":
			if !s.Object() {
				continue
			}
			for {
				field, more := s.Key()
				if !more {
					break
				}
				text := s.Text()
				if string(field) == "code" {
					b.Failed = string(text) == "2" || string(text) == "STATUS_CODE_ERROR"
				}
			}
		default:
			s.Skip()
		}
	}
	if s.Err() != nil {
		return
	}
	if !b.Build(name, client) {
		return
	}
	goodID := telemetry.DecodeID(trace, b.Trace[:])
	goodID = telemetry.DecodeID(id, b.ID[:]) && goodID
	goodID = telemetry.DecodeID(parent, b.Parent[:]) && goodID
	goodTime := readTime(start, &b.Start)
	goodTime = readTime(end, &b.End) && goodTime
	switch {
	case !goodID:
		d.batch.Skip(telemetry.ReasonID, d.where)
	case !goodTime || b.End < b.Start || b.End == 0:
		d.batch.Skip(telemetry.ReasonTimes, d.where)
	default:
		d.batch.Spans = append(d.batch.Spans, b.Span)
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
