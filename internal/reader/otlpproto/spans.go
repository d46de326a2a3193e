package otlpproto

import (
	"encoding/binary"
	"math"

	"github.com/retrykit/retrykit/internal/telemetry"
)

func (d *Decoder) readSpan(data []byte) error {
	d.batch.SpanN++
	d.batch.Recognised = true
	b := d.span
	b.Reset()
	var h head
	rest := h.forwards(data, b)
	if h.whole {
		known, err := d.spanTail(rest)
		if err != nil {
			return err
		}
		if known {
			d.keepSpan(&h)
			return nil
		}
		b.Forget()
	}
	var f field
	var raw []byte
	// Attributes wait till the kind is known, which comes after them when the
	// numbers fall: most spans are not wanted, which is seen by their keys.
	var waiting []byte
	var bearing telemetry.Bearing
	for len(rest) > 0 {
		switch rest[0] {
		case attrTag:
			list, after, its := spanList(rest)
			if len(list) > 0 {
				if err := d.spanAttrs(waiting); err != nil {
					return err
				}
				waiting, bearing, rest = list, bearing|its, after
				continue
			}
		case 8<<3 | 1:
			if after := h.backwards(rest, b); len(after) < len(rest) {
				rest = after
				continue
			}
		}
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		ok := true
		switch f.num {
		case 1:
			raw, ok = f.message()
			h.badID = !id(raw, b.Trace[:]) || h.badID
		case 2:
			raw, ok = f.message()
			h.badID = !id(raw, b.ID[:]) || h.badID
		case 4:
			raw, ok = f.message()
			h.badID = !id(raw, b.Parent[:]) || h.badID
		case 5:
			h.name, ok = f.message()
		case 6:
			h.kind, ok = f.varint()
		case 7:
			h.start, ok = f.fixed64()
		case 8:
			h.end, ok = f.fixed64()
		case 9:
			if err = d.spanAttrs(waiting); err != nil {
				break
			}
			waiting, bearing = nil, telemetry.Keeps
			if raw, ok = f.message(); ok {
				err = d.spanAttr(raw)
			}
		case 15:
			if raw, ok = f.message(); ok {
				b.Failed, err = failed(raw)
			}
		}
		if err != nil {
			return err
		}
		if !ok {
			return errWire
		}
	}
	if !bearing.Any(h.isClient()) {
		return nil
	}
	if err := d.spanAttrs(waiting); err != nil {
		return err
	}
	d.keepSpan(&h)
	return nil
}

// keepSpan keeps the span at hand if it is wanted and can be used.
func (d *Decoder) keepSpan(h *head) {
	b := d.span
	if !b.Build(h.name, h.isClient()) {
		return
	}
	b.Start, b.End = spanTime(h.start), spanTime(h.end)
	switch {
	case h.badID:
		d.batch.Skip(telemetry.ReasonID, d.where)
	case b.Start < 0 || b.End < b.Start || b.End == 0:
		d.batch.Skip(telemetry.ReasonTimes, d.where)
	default:
		d.batch.Spans = append(d.batch.Spans, b.Span)
	}
}

// attrTag is what each of a span's attributes begins with.
const attrTag = 9<<3 | 2

// A KeyValue's fields.
const (
	keyTag   = 1<<3 | 2
	valueTag = 2<<3 | 2
)

// client is the kind of a span that is its sender's.
const client = 3

// head is what a span says of itself before its attributes.
type head struct {
	name             []byte
	kind, start, end uint64
	badID            bool
	whole            bool // all of it was read, and what follows are attributes and the like
}

func (h *head) isClient() bool { return int32(h.kind) == client }

// forwards reads the fields up to the attributes, as far as they are written
// in the order of their numbers and with ids of their proper lengths, and
// returns what follows those that are: nearly all exporters write all of them
// so.
func (h *head) forwards(data []byte, b *telemetry.SpanBuilder) (rest []byte) {
	if len(data) < 28 || data[0] != 1<<3|2 || data[1] != 16 || data[18] != 2<<3|2 || data[19] != 8 {
		return data
	}
	copy(b.Trace[:], data[2:18])
	copy(b.ID[:], data[20:28])
	rest = data[28:]
	if len(rest) >= 10 && rest[0] == 4<<3|2 && rest[1] == 8 {
		copy(b.Parent[:], rest[2:10])
		rest = rest[10:]
	}
	if len(rest) < 2 || rest[0] != 5<<3|2 || rest[1] >= 0x80 || int(rest[1]) > len(rest)-2 {
		return rest
	}
	n := 2 + int(rest[1])
	h.name, rest = rest[2:n], rest[n:]
	if len(rest) >= 2 && rest[0] == 6<<3 && rest[1] < 0x80 {
		h.kind, rest = uint64(rest[1]), rest[2:]
	}
	if len(rest) >= 18 && rest[0] == 7<<3|1 && rest[9] == 8<<3|1 {
		h.start, h.end = binary.LittleEndian.Uint64(rest[1:]), binary.LittleEndian.Uint64(rest[10:])
		rest, h.whole = rest[18:], true
	}
	return rest
}

// backwards is forwards for what the collector of late writes: the numbers
// fall, and what is the head comes last.
func (h *head) backwards(data []byte, b *telemetry.SpanBuilder) (rest []byte) {
	if len(data) < 18 || data[0] != 8<<3|1 || data[9] != 7<<3|1 {
		return data
	}
	h.end, h.start = binary.LittleEndian.Uint64(data[1:]), binary.LittleEndian.Uint64(data[10:])
	rest = data[18:]
	if len(rest) >= 2 && rest[0] == 6<<3 && rest[1] < 0x80 {
		h.kind, rest = uint64(rest[1]), rest[2:]
	}
	if len(rest) < 2 || rest[0] != 5<<3|2 || rest[1] >= 0x80 || int(rest[1]) > len(rest)-2 {
		return rest
	}
	n := 2 + int(rest[1])
	h.name, rest = rest[2:n], rest[n:]
	if len(rest) >= 10 && rest[0] == 4<<3|2 && rest[1] == 8 {
		copy(b.Parent[:], rest[2:10])
		rest = rest[10:]
	}
	if len(rest) >= 28 && rest[0] == 2<<3|2 && rest[1] == 8 && rest[10] == 1<<3|2 && rest[11] == 16 {
		copy(b.ID[:], rest[2:10])
		copy(b.Trace[:], rest[12:28])
		rest = rest[28:]
	}
	return rest
}

// spanTime is a time in nanoseconds since 1970; 0, which is no time, when it
// is none.
func spanTime(t uint64) int64 {
	if t > math.MaxInt64 {
		return 0
	}
	return int64(t)
}

func failed(data []byte) (bool, error) {
	var f field
	code := int32(0)
	for len(data) > 0 {
		var err error
		if data, err = f.next(data); err != nil {
			return false, err
		}
		if n, ok := f.varint(); ok && f.num == 3 {
			code = int32(n)
		}
	}
	return code == 2, nil
}

func id(raw, to []byte) bool {
	if len(raw) != 0 && len(raw) != len(to) {
		return false
	}
	copy(to, raw)
	return true
}
