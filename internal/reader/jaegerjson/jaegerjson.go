// Package jaegerjson decodes the JSON of Jaeger's query API and of its UI's
// download: {"data": [{"spans": [...], "processes": {...}}]}.
package jaegerjson

import (
	"math"
	"strings"

	"github.com/retrykit/retrykit/internal/reader/jsonscan"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Decoder decodes traces. One per goroutine.
type Decoder struct {
	span *telemetry.SpanBuilder
}

// New returns a decoder that interns in registry.
func New(registry *telemetry.Registry) *Decoder {
	return &Decoder{span: telemetry.NewSpanBuilder(registry)}
}

// Spans decodes the value of a trace's "spans".
func (d *Decoder) Spans(s *jsonscan.Scanner, batch *telemetry.Batch, where string) {
	if !s.Array() {
		return
	}
	for s.Next() {
		batch.SpanN++
		if s.Object() {
			d.readSpan(s, batch, where)
		}
	}
}

func (d *Decoder) readSpan(s *jsonscan.Scanner, batch *telemetry.Batch, where string) {
	b := d.span
	b.Reset()
	var name []byte
	client, goodID, goodTime := false, true, true
	var start, duration int64
	for {
		key, more := s.Key()
		if !more {
			break
		}
		var ok bool
		switch string(key) {
		case "traceID", "traceId":
			goodID = telemetry.DecodeID(s.Text(), b.Trace[:]) && goodID
		case "spanID", "spanId":
			goodID = telemetry.DecodeID(s.Text(), b.ID[:]) && goodID
		case "parentSpanID", "parentSpanId":
			goodID = telemetry.DecodeID(s.Text(), b.Parent[:]) && goodID
		case "operationName":
			name = s.Text()
		case "references":
			goodID = d.references(s) && goodID
		case "startTime": // microseconds
			start, ok = s.Int64()
			goodTime = goodTime && ok
		case "duration":
			duration, ok = s.Int64()
			goodTime = goodTime && ok
		case "tags":
			d.tags(s, &client)
		default:
			s.Skip()
		}
	}
	if s.Err() != nil {
		return
	}
	goodTime = goodTime && start > 0 && duration >= 0 && start < math.MaxInt64/2000 && duration < math.MaxInt64/2000
	b.Start, b.End = start*1000, (start+duration)*1000
	wanted := b.Build(name, client)
	switch {
	case !wanted:
	case !goodID:
		batch.Skip(telemetry.ReasonID, where)
	case !goodTime:
		batch.Skip(telemetry.ReasonTimes, where)
	default:
		batch.Spans = append(batch.Spans, b.Span)
	}
}

// references finds the parent.
func (d *Decoder) references(s *jsonscan.Scanner) bool {
	good := true
	if !s.Array() {
		return true
	}
	for s.Next() {
		if !s.Object() {
			continue
		}
		child := false
		var id []byte
		for {
			key, more := s.Key()
			if !more {
				break
			}
			text := s.Text()
			switch string(key) {
			case "refType":
				child = string(text) == "CHILD_OF"
			case "spanID", "spanId":
				id = text
			}
		}
		if child {
			good = telemetry.DecodeID(id, d.span.Parent[:]) && good
		}
	}
	return good
}

func (d *Decoder) tags(s *jsonscan.Scanner, client *bool) {
	if !s.Array() {
		return
	}
	for s.Next() {
		if !s.Object() {
			continue
		}
		var key, value []byte
		for {
			field, more := s.Key()
			if !more {
				break
			}
			text := s.Text()
			switch string(field) {
			case "key":
				key = text
			case "value":
				value = text
			}
		}
		switch string(key) {
		case "span.kind":
			*client = strings.EqualFold(string(value), "client")
		case "error":
			d.span.Failed = d.span.Failed || string(value) == "true"
		case "otel.status_code":
			d.span.Failed = d.span.Failed || strings.EqualFold(string(value), "error")
		default:
			d.span.Attr(key, value)
		}
	}
}
