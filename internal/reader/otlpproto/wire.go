package otlpproto

import (
	"encoding/binary"
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

var errWire = errors.New("malformed protobuf")

// field is one field of a message. What it holds follows from its wire type:
// a number, or bytes.
type field struct {
	num    uint32
	kind   protowire.Type
	number uint64
	bytes  []byte
}

// next takes the first field off a message, and returns what follows it. It
// does itself what nearly all fields are, a number below 16 and a length below
// 2^14: the half of reading is this function.
func (f *field) next(data []byte) (rest []byte, err error) {
	if len(data) < 2 || data[0] >= 0x80 || data[0] < 1<<3 {
		return f.any(data)
	}
	f.num, f.kind = uint32(data[0]>>3), protowire.Type(data[0]&7)
	switch f.kind {
	case protowire.BytesType:
		from, n := 2, int(data[1])
		if n >= 0x80 {
			if len(data) < 3 || data[2] >= 0x80 {
				return f.any(data)
			}
			from, n = 3, n&0x7f|int(data[2])<<7
		}
		if n > len(data)-from {
			return nil, errWire
		}
		f.bytes = data[from : from+n]
		return data[from+n:], nil
	case protowire.Fixed64Type:
		if len(data) < 9 {
			return nil, errWire
		}
		f.number = binary.LittleEndian.Uint64(data[1:])
		return data[9:], nil
	case protowire.VarintType:
		if data[1] < 0x80 {
			f.number = uint64(data[1])
			return data[2:], nil
		}
	}
	return f.any(data)
}

// any is next for whatever field. Groups, which OTLP has none of, are an error.
func (f *field) any(data []byte) (rest []byte, err error) {
	num, kind, n := protowire.ConsumeTag(data)
	if n < 0 {
		return nil, errWire
	}
	f.num, f.kind = uint32(num), kind
	data = data[n:]
	switch kind {
	case protowire.VarintType:
		f.number, n = protowire.ConsumeVarint(data)
	case protowire.Fixed64Type:
		f.number, n = protowire.ConsumeFixed64(data)
	case protowire.Fixed32Type:
		var x uint32
		x, n = protowire.ConsumeFixed32(data)
		f.number = uint64(x)
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(data)
	default:
		return nil, errWire
	}
	if n < 0 {
		return nil, errWire
	}
	return data[n:], nil
}

// message returns a message's or text's bytes; false when the field is no such.
func (f *field) message() ([]byte, bool) { return f.bytes, f.kind == protowire.BytesType }

func (f *field) varint() (uint64, bool) { return f.number, f.kind == protowire.VarintType }

func (f *field) fixed64() (uint64, bool) { return f.number, f.kind == protowire.Fixed64Type }

func (f *field) double() (float64, bool) {
	return math.Float64frombits(f.number), f.kind == protowire.Fixed64Type
}

func (f *field) sint32() (int32, bool) {
	return int32(protowire.DecodeZigZag(f.number)), f.kind == protowire.VarintType
}

// appendFixed64s appends a list of numbers, or one of a list that is not packed.
func (f *field) appendFixed64s(to []uint64) ([]uint64, bool) {
	if f.kind == protowire.Fixed64Type {
		return append(to, f.number), true
	}
	if f.kind != protowire.BytesType || len(f.bytes)%8 != 0 {
		return to, false
	}
	for data := f.bytes; len(data) > 0; data = data[8:] {
		to = append(to, binary.LittleEndian.Uint64(data))
	}
	return to, true
}

// appendVarints is appendFixed64s for numbers of variable length.
func (f *field) appendVarints(to []uint64) ([]uint64, bool) {
	if f.kind == protowire.VarintType {
		return append(to, f.number), true
	}
	if f.kind != protowire.BytesType {
		return to, false
	}
	for data := f.bytes; len(data) > 0; {
		if data[0] < 0x80 {
			to, data = append(to, uint64(data[0])), data[1:]
			continue
		}
		x, n := protowire.ConsumeVarint(data)
		if n < 0 {
			return to, false
		}
		to, data = append(to, x), data[n:]
	}
	return to, true
}

// appendDoubles is appendFixed64s for floating-point numbers.
func (f *field) appendDoubles(to []float64) ([]float64, bool) {
	if f.kind == protowire.Fixed64Type {
		return append(to, math.Float64frombits(f.number)), true
	}
	if f.kind != protowire.BytesType || len(f.bytes)%8 != 0 {
		return to, false
	}
	for data := f.bytes; len(data) > 0; data = data[8:] {
		to = append(to, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return to, true
}
