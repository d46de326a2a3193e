package telemetrygen

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// shape says which fields of a message are messages whose fields are turned
// round too.
type shape map[protowire.Number]shape

// MetricsProtoBackwards is MetricsProto with the fields of each message in
// falling order, which is how the collector has written them since it marshals
// from the end. Fields of one number keep their order.
func (e *Export) MetricsProtoBackwards() []byte {
	attributes := func(number protowire.Number) shape { return shape{1: shape{number: shape{}}} }
	return backwards(e.MetricsProto(), request(shape{
		5: attributes(7), 7: attributes(7), 9: attributes(9), 10: attributes(1),
	}))
}

// SpansProtoBackwards is SpansProto in that order.
func (e *Export) SpansProtoBackwards() []byte {
	return backwards(e.SpansProto(), request(shape{9: shape{}}))
}

// request is the shape of an export request of metrics or spans of that one.
func request(item shape) shape {
	resource, scope := shape{1: shape{}}, shape{2: item}
	return shape{1: shape{1: resource, 2: scope}}
}

func backwards(data []byte, s shape) []byte {
	type field struct {
		number protowire.Number
		raw    []byte
	}
	var all []field
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		size := n + protowire.ConsumeFieldValue(number, kind, data[n:])
		raw := data[:size]
		if inner, ok := s[number]; ok && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(data[n:])
			raw = message(nil, number, backwards(value, inner))
		}
		all = append(all, field{number, raw})
		data = data[size:]
	}
	slices.SortStableFunc(all, func(a, b field) int { return cmp.Compare(b.number, a.number) })
	var out []byte
	for _, f := range all {
		out = append(out, f.raw...)
	}
	return out
}
