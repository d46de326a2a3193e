package otlpjson

import (
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
	var name []byte
	client, goodID, goodTime := false, true, true
	var ok bool
	for {
		key, more := s.Key()
		if !more {
			break
		}
		switch string(key) {
		case "traceId", "trace_id", "traceID":
			goodID = telemetry.DecodeID(s.Text(), b.Trace[:]) && goodID
		case "spanId", "span_id", "spanID":
			goodID = telemetry.DecodeID(s.Text(), b.ID[:]) && goodID
		case "parentSpanId", "parent_span_id", "parentSpanID":
			goodID = telemetry.DecodeID(s.Text(), b.Parent[:]) && goodID
		case "name":
			name = s.Text()
		case "kind":
			switch string(s.Text()) {
			case "3", "SPAN_KIND_CLIENT":
				client = true
			}
		case "startTimeUnixNano", "start_time_unix_nano":
			b.Start, ok = s.Int64()
			goodTime = goodTime && ok
		case "endTimeUnixNano", "end_time_unix_nano":
			b.End, ok = s.Int64()
			goodTime = goodTime && ok
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
	wanted := b.Build(name, client)
	switch {
	case !wanted:
	case !goodID:
		d.batch.Skip(telemetry.ReasonID, d.where)
	case !goodTime || b.End < b.Start || b.End == 0:
		d.batch.Skip(telemetry.ReasonTimes, d.where)
	default:
		d.batch.Spans = append(d.batch.Spans, b.Span)
	}
}
