package telemetrygen

import (
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
)

// StdoutMetrics returns the export's metrics as the Go SDK's stdoutmetric
// prints them; nil when it has none.
func (e *Export) StdoutMetrics(pretty bool) []byte {
	if len(e.Metrics) == 0 {
		return nil
	}
	var metrics []any
	for i := range e.Metrics {
		m := &e.Metrics[i]
		temporality := "CumulativeTemporality"
		if m.Delta {
			temporality = "DeltaTemporality"
		}
		var points []any
		histogram := false
		for j := range m.Points {
			p := &m.Points[j]
			point := map[string]any{"Attributes": stdoutAttrs(p.Attrs), "StartTime": p.Start.Format(time.RFC3339Nano), "Time": p.Time.Format(time.RFC3339Nano)}
			switch h := p.Hist; {
			case h == nil:
				point["Value"] = p.Value
			case h.Exp != nil:
				histogram = true
				offset, buckets := h.dense()
				point["Count"], point["Sum"], point["Scale"], point["ZeroCount"] = h.Count, h.Sum, expScale, h.Zero
				point["PositiveBucket"] = map[string]any{"Offset": offset, "Counts": buckets}
				point["NegativeBucket"] = map[string]any{"Offset": 0, "Counts": nil}
			default:
				histogram = true
				point["Count"], point["Sum"], point["Bounds"], point["BucketCounts"] = h.Count, h.Sum, h.Bounds, h.Buckets
			}
			points = append(points, point)
		}
		data := map[string]any{"DataPoints": points, "Temporality": temporality}
		if !histogram {
			data["IsMonotonic"] = m.Instrument == contract.Counter
		}
		metrics = append(metrics, map[string]any{"Name": m.Name, "Description": "", "Unit": m.Unit, "Data": data})
	}
	return printed(map[string]any{
		"Resource":     stdoutAttrs(e.Resource),
		"ScopeMetrics": []any{map[string]any{"Scope": map[string]any{"Name": Scope, "Version": "", "SchemaURL": "", "Attributes": nil}, "Metrics": metrics}},
	}, pretty)
}

// StdoutSpans returns the export's spans as stdouttrace prints them.
func (e *Export) StdoutSpans(pretty bool) []byte {
	var out []byte
	for i := range e.Spans {
		s := &e.Spans[i]
		code := "Unset"
		if s.Failed {
			code = "Error"
		}
		out = append(out, printed(map[string]any{
			"Name":        s.Name,
			"SpanContext": map[string]any{"TraceID": hex.EncodeToString(s.Trace[:]), "SpanID": hex.EncodeToString(s.ID[:]), "TraceFlags": "01", "TraceState": "", "Remote": false},
			"Parent":      map[string]any{"TraceID": "00000000000000000000000000000000", "SpanID": hex.EncodeToString(s.Parent[:]), "TraceFlags": "00", "TraceState": "", "Remote": false},
			"SpanKind":    1, "StartTime": s.Start, "EndTime": s.End, "Attributes": stdoutAttrs(s.Attrs), "Events": nil, "Links": nil,
			"Status": map[string]any{"Code": code, "Description": ""}, "DroppedAttributes": 0, "ChildSpanCount": 0,
			"Resource": stdoutAttrs(e.Resource), "InstrumentationScope": map[string]any{"Name": Scope},
		}, pretty)...)
	}
	return out
}

func stdoutAttrs(attrs []Attr) any {
	if len(attrs) == 0 {
		return nil
	}
	var out []any
	for _, a := range attrs {
		kind := "STRING"
		switch a.Value.(type) {
		case bool:
			kind = "BOOL"
		case int:
			kind = "INT64"
		case float64:
			kind = "FLOAT64"
		}
		out = append(out, map[string]any{"Key": a.Key, "Value": map[string]any{"Type": kind, "Value": a.Value}})
	}
	return out
}

func printed(v any, pretty bool) []byte {
	var text []byte
	var err error
	if pretty {
		text, err = json.MarshalIndent(v, "", "\t")
	} else {
		text, err = json.Marshal(v)
	}
	if err != nil {
		panic(err) // nothing here can't be marshalled
	}
	return append(text, '\n')
}

// JaegerSpans returns the export's spans as Jaeger's API returns traces, whose
// times are in microseconds; nil when it has none.
func (e *Export) JaegerSpans(pretty bool) []byte {
	if len(e.Spans) == 0 {
		return nil
	}
	traces := map[string][]any{}
	var order []string
	for i := range e.Spans {
		s := &e.Spans[i]
		trace := hex.EncodeToString(s.Trace[:])
		if traces[trace] == nil {
			order = append(order, trace)
		}
		tags := []any{}
		for _, a := range s.Attrs {
			tags = append(tags, map[string]any{"key": a.Key, "type": "string", "value": a.Value})
		}
		tags = append(tags, map[string]any{"key": "span.kind", "type": "string", "value": "internal"})
		if s.Failed {
			tags = append(tags, map[string]any{"key": "error", "type": "bool", "value": true})
		}
		span := map[string]any{
			"traceID": trace, "spanID": hex.EncodeToString(s.ID[:]), "operationName": s.Name, "references": []any{},
			"startTime": s.Start.UnixMicro(), "duration": s.End.Sub(s.Start).Microseconds(), "tags": tags, "logs": []any{}, "processID": "p1",
		}
		if s.Parent != [8]byte{} {
			span["references"] = []any{map[string]any{"refType": "CHILD_OF", "traceID": trace, "spanID": hex.EncodeToString(s.Parent[:])}}
		}
		traces[trace] = append(traces[trace], span)
	}
	var data []any
	for _, trace := range order {
		data = append(data, map[string]any{"traceID": trace, "spans": traces[trace],
			"processes": map[string]any{"p1": map[string]any{"serviceName": "checkout", "tags": []any{}}}, "warnings": nil})
	}
	return printed(map[string]any{"data": data, "total": 0, "limit": 0, "offset": 0, "errors": nil}, pretty)
}
