package otlpproto

import (
	"encoding/hex"
	"strconv"

	"github.com/retrykit/retrykit/internal/telemetry"
)

func (d *Decoder) appendAttr(f *field, attrs *[]telemetry.Attr) error {
	data, ok := f.message()
	if !ok {
		return errWire
	}
	key, value, err := d.keyValue(data)
	if err != nil {
		return err
	}
	*attrs = append(*attrs, telemetry.Attr{Key: d.intern(key), Value: d.intern(value)})
	return nil
}

// keyValue decodes a KeyValue; value is the text of its value, valid until the
// next one.
func (d *Decoder) keyValue(data []byte) (key, value []byte, err error) {
	var f field
	for len(data) > 0 {
		if data, err = f.next(data); err != nil {
			return nil, nil, err
		}
		switch f.num {
		case 1:
			var ok bool
			if key, ok = f.message(); !ok {
				return nil, nil, errWire
			}
		case 2:
			any, ok := f.message()
			if !ok {
				return nil, nil, errWire
			}
			if value, err = d.anyValue(any); err != nil {
				return nil, nil, err
			}
		}
	}
	return key, value, nil
}

func (d *Decoder) anyValue(data []byte) (value []byte, err error) {
	var f field
	for len(data) > 0 {
		if data, err = f.next(data); err != nil {
			return nil, err
		}
		ok := true
		switch f.num {
		case 1:
			value, ok = f.message()
		case 2:
			var n uint64
			n, ok = f.varint()
			value = strconv.AppendBool(d.text[:0], n != 0)
		case 3:
			var n uint64
			n, ok = f.varint()
			value = strconv.AppendInt(d.text[:0], int64(n), 10)
		case 4:
			var x float64
			x, ok = f.double()
			value = strconv.AppendFloat(d.text[:0], x, 'g', -1, 64)
		case 5, 6, 7: // lists, maps, bytes: identity is all that is asked of them
			var raw []byte
			raw, ok = f.message()
			value = hex.AppendEncode(nil, raw)
		}
		if !ok {
			return nil, errWire
		}
	}
	return value, nil
}

// attrList returns the attributes under that tag that the data of a span or
// point begins with, as long as each is shorter than 16 KiB, as all are, and
// what follows them.
func attrList(data []byte, tag byte) (list, after []byte) {
	i := 0
	for i+1 < len(data) && data[i] == tag {
		_, to := lengthAt(data, i+1)
		if to > len(data) {
			break
		}
		i = to
	}
	return data[:i], data[i:]
}

// lengthAt reads a length of at most two bytes at data[i], and returns where what
// is so long begins and ends; past the data when the length takes more bytes.
func lengthAt(data []byte, i int) (from, to int) {
	n := int(data[i])
	if n < 0x80 {
		return i + 1, i + 1 + n
	}
	if i+1 >= len(data) || data[i+1] >= 0x80 {
		return 0, len(data) + 1
	}
	return i + 2, i + 2 + (n&0x7f | int(data[i+1])<<7)
}
