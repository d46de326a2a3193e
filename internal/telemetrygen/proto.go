package telemetrygen

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/retrykit/retrykit/internal/contract"
)

// MetricsProto returns the export's metrics as an OTLP export request; nil
// when it has none.
func (e *Export) MetricsProto() []byte {
	if len(e.Metrics) == 0 {
		return nil
	}
	var scope []byte
	scope = message(scope, 1, protoScope())
	for i := range e.Metrics {
		scope = message(scope, 2, protoMetric(&e.Metrics[i]))
	}
	return message(nil, 1, message(message(nil, 1, protoAttrs(nil, 1, e.Resource)), 2, scope))
}

// SpansProto returns the export's spans as an export request; nil when it has
// none.
func (e *Export) SpansProto() []byte {
	if len(e.Spans) == 0 {
		return nil
	}
	var scope []byte
	scope = message(scope, 1, protoScope())
	for i := range e.Spans {
		scope = message(scope, 2, protoSpan(&e.Spans[i]))
	}
	return message(nil, 1, message(message(nil, 1, protoAttrs(nil, 1, e.Resource)), 2, scope))
}

// Prefixed puts the collector's length before a message.
func Prefixed(data []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...)
}

func message(b []byte, field protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), data)
}

func varint(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

func fixed(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), n)
}

func protoScope() []byte { return message(nil, 1, []byte(Scope)) }

func protoAttrs(b []byte, field protowire.Number, attrs []Attr) []byte {
	for _, a := range attrs {
		var value []byte
		switch v := a.Value.(type) {
		case string:
			value = message(nil, 1, []byte(v))
		case bool:
			value = varint(nil, 2, protowire.EncodeBool(v))
		case int:
			value = varint(nil, 3, uint64(v))
		case float64:
			value = fixed(nil, 4, math.Float64bits(v))
		}
		b = message(b, field, message(message(nil, 1, []byte(a.Key)), 2, value))
	}
	return b
}

func protoMetric(m *Metric) []byte {
	var data []byte
	kind := protowire.Number(7)
	for i := range m.Points {
		p := &m.Points[i]
		var b []byte
		b = fixed(b, 2, uint64(nanos(p.Start)))
		b = fixed(b, 3, uint64(nanos(p.Time)))
		switch h := p.Hist; {
		case h == nil:
			b = fixed(b, 6, uint64(int64(p.Value)))
			b = protoAttrs(b, 7, p.Attrs)
		case h.Exp != nil:
			kind = 10
			b = protoAttrs(b, 1, p.Attrs)
			b = fixed(b, 4, h.Count)
			b = fixed(b, 5, math.Float64bits(h.Sum))
			b = varint(b, 6, protowire.EncodeZigZag(expScale))
			b = fixed(b, 7, h.Zero)
			offset, buckets := h.dense()
			var packed []byte
			for _, n := range buckets {
				packed = protowire.AppendVarint(packed, n)
			}
			b = message(b, 8, message(varint(nil, 1, protowire.EncodeZigZag(int64(offset))), 2, packed))
		default:
			kind = 9
			b = fixed(b, 4, h.Count)
			b = fixed(b, 5, math.Float64bits(h.Sum))
			var counts, bounds []byte
			for _, n := range h.Buckets {
				counts = protowire.AppendFixed64(counts, n)
			}
			for _, f := range h.Bounds {
				bounds = protowire.AppendFixed64(bounds, math.Float64bits(f))
			}
			b = message(b, 6, counts)
			b = message(b, 7, bounds)
			b = protoAttrs(b, 9, p.Attrs)
		}
		data = message(data, 1, b)
	}
	temporality := uint64(2)
	if m.Delta {
		temporality = 1
	}
	data = varint(data, 2, temporality)
	if kind == 7 {
		data = varint(data, 3, protowire.EncodeBool(m.Instrument == contract.Counter))
	}
	return message(message(message(nil, 1, []byte(m.Name)), 3, []byte(m.Unit)), kind, data)
}

func protoSpan(s *Span) []byte {
	b := message(nil, 1, s.Trace[:])
	b = message(b, 2, s.ID[:])
	if s.Parent != [8]byte{} {
		b = message(b, 4, s.Parent[:])
	}
	b = message(b, 5, []byte(s.Name))
	b = varint(b, 6, 1)
	b = fixed(b, 7, uint64(nanos(s.Start)))
	b = fixed(b, 8, uint64(nanos(s.End)))
	b = protoAttrs(b, 9, s.Attrs)
	if s.Failed {
		b = message(b, 15, varint(nil, 3, 2))
	}
	return b
}
