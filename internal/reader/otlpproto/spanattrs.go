package otlpproto

import "github.com/retrykit/retrykit/internal/telemetry"

// spanList returns the attributes that a span's data begins with, as attrList
// does, what follows them, and the bearing of all of them.
func spanList(data []byte) (list, after []byte, bearing telemetry.Bearing) {
	i := 0
	for i+1 < len(data) && data[i] == attrTag {
		from, to := lengthAt(data, i+1)
		if to > len(data) {
			break
		}
		if bearing&telemetry.Keeps == 0 {
			bearing |= pairBearing(data[from:to])
		}
		i = to
	}
	return data[:i], data[i:], bearing
}

// pairBearing returns the bearing of a KeyValue; when it is not written as
// nearly all are, as if it decided, for it will be found out.
func pairBearing(data []byte) telemetry.Bearing {
	if len(data) < 4 {
		return telemetry.Keeps
	}
	from, mid := lengthAt(data, 1)
	if mid > len(data)-2 {
		return telemetry.Keeps
	}
	next, end := lengthAt(data, mid+1)
	switch {
	case end != len(data):
	case data[0] == keyTag && data[mid] == valueTag:
		return telemetry.BearingOf(data[from:mid])
	case data[0] == valueTag && data[mid] == keyTag:
		return telemetry.BearingOf(data[next:])
	}
	return telemetry.Keeps
}

// spanAttrs decodes attributes that spanList has walked.
func (d *Decoder) spanAttrs(list []byte) error {
	if len(list) == 0 || d.span.Recall(list) {
		return nil
	}
	for i := 0; i < len(list); {
		from, to := lengthAt(list, i+1)
		if err := d.spanAttr(list[from:to]); err != nil {
			return err
		}
		i = to
	}
	d.span.Remember(list)
	return nil
}

// spanTail decodes what follows a span's head, when that begins with an
// attribute about retries: its attributes and its status, which most spans have
// as an earlier one had them, to the byte. false when there is more in it than
// belongs there.
func (d *Decoder) spanTail(tail []byte) (bool, error) {
	if len(tail) < 2 || tail[0] != attrTag {
		return false, nil
	}
	from, to := lengthAt(tail, 1)
	if to > len(tail) || pairBearing(tail[from:to])&telemetry.Keeps == 0 {
		return false, nil
	}
	if d.span.Recall(tail) {
		return true, nil
	}
	var f field
	for rest := tail; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return false, err
		}
		raw, ok := f.message()
		switch {
		case f.num <= 8:
			return false, nil
		case f.num != 9 && f.num != 15:
			continue
		case !ok:
			return false, errWire
		case f.num == 9:
			err = d.spanAttr(raw)
		default:
			d.span.Failed, err = failed(raw)
		}
		if err != nil {
			return false, err
		}
	}
	d.span.RememberAll(tail)
	return true, nil
}

// spanAttr decodes an attribute of a span, its value only if it is wanted.
func (d *Decoder) spanAttr(data []byte) error {
	if key, value, ok := shortPair(data); ok {
		if !d.span.Wants(key) {
			return nil
		}
		if text, ok := shortText(value); ok {
			d.span.Attr(key, text)
			return nil
		}
	}
	var f field
	var key, value []byte
	for len(data) > 0 {
		var err error
		if data, err = f.next(data); err != nil {
			return err
		}
		ok := true
		switch f.num {
		case 1:
			key, ok = f.message()
		case 2:
			value, ok = f.message()
		}
		if !ok {
			return errWire
		}
	}
	if !d.span.Wants(key) {
		return nil
	}
	text, err := d.anyValue(value)
	if err != nil {
		return err
	}
	d.span.Attr(key, text)
	return nil
}

// shortPair takes a KeyValue apart that is written as nearly all are: the key
// and the value, or the value and the key, both shorter than 128 bytes.
func shortPair(data []byte) (key, value []byte, ok bool) {
	if len(data) < 4 || data[1] >= 0x80 {
		return nil, nil, false
	}
	n := 2 + int(data[1])
	if n+2 > len(data) || data[n+1] >= 0x80 || n+2+int(data[n+1]) != len(data) {
		return nil, nil, false
	}
	switch {
	case data[0] == keyTag && data[n] == valueTag:
		return data[2:n], data[n+2:], true
	case data[0] == valueTag && data[n] == keyTag:
		return data[n+2:], data[2:n], true
	}
	return nil, nil, false
}

// shortText takes the text out of an AnyValue that is a short string.
func shortText(data []byte) ([]byte, bool) {
	if len(data) < 2 || data[0] != 1<<3|2 || data[1] >= 0x80 || 2+int(data[1]) != len(data) {
		return nil, false
	}
	return data[2:], true
}
