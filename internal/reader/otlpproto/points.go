package otlpproto

import (
	"bytes"
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

func (d *Decoder) data(rc *telemetry.ResourceCache, m contract.Metric, kind telemetry.Kind, wanted bool, data []byte) error {
	temporality, monotonic := telemetry.Unspecified, false
	if kind == telemetry.Gauge || kind == telemetry.Summary {
		temporality = telemetry.Cumulative
	}
	var f field
	points := int64(0)
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		switch f.num {
		case 1:
			points++
		case 2:
			n, ok := f.varint()
			if !ok {
				return errWire
			}
			switch int32(n) {
			case 1:
				temporality = telemetry.Delta
			case 2:
				temporality = telemetry.Cumulative
			}
		case 3:
			monotonic = f.kind == protowire.VarintType && f.number != 0
		}
	}
	d.batch.Points += points
	if !wanted {
		return nil
	}
	if kind == telemetry.Sum && !monotonic {
		kind = telemetry.UpDown
	}
	kind = telemetry.KindOf(m, kind)
	if temporality == telemetry.Unspecified {
		d.batch.SkipN(telemetry.ReasonTemporality, d.where, points)
		return nil
	}
	scope, err := d.scopeName()
	if err != nil {
		return err
	}
	mc := rc.Metric(scope, m, kind, temporality)
	for rest := data; len(rest) > 0; {
		rest, _ = f.next(rest) // walked above
		if f.num != 1 {
			continue
		}
		point, ok := f.message()
		if !ok {
			return errWire
		}
		if err := d.point(mc, kind, point); err != nil {
			return err
		}
	}
	return nil
}

// fields of the data points, which number alike but for these.
type pointFields struct{ attrs, flags, min, max uint32 }

func fieldsOf(kind telemetry.Kind) pointFields {
	switch kind {
	case telemetry.Histogram:
		return pointFields{9, 10, 11, 12}
	case telemetry.ExpHistogram:
		return pointFields{1, 10, 12, 13}
	}
	return pointFields{attrs: 7, flags: 8}
}

// usualNumber reads a point of a number that is written as nearly all are, its
// times and its value before its attributes or after them, when its stream is
// known by those; false when it is not.
func (d *Decoder) usualNumber(mc *telemetry.MetricCache, data []byte) bool {
	const (
		start, time   = 2<<3 | 1, 3<<3 | 1
		double, whole = 4<<3 | 1, 6<<3 | 1
		fixed         = 3 * 9
	)
	n := len(data) - fixed
	if n < 0 {
		return false
	}
	var x telemetry.Sample
	var value, attrs []byte
	switch {
	case data[0] == start && data[9] == time && (data[18] == whole || data[18] == double):
		x.Start, x.Time = int64(binary.LittleEndian.Uint64(data[1:])), int64(binary.LittleEndian.Uint64(data[10:]))
		value, attrs = data[18:fixed], data[fixed:]
	case data[n+18] == start && data[n+9] == time && (data[n] == whole || data[n] == double):
		raw := data[n:]
		x.Start, x.Time = int64(binary.LittleEndian.Uint64(raw[19:])), int64(binary.LittleEndian.Uint64(raw[10:]))
		value, attrs = raw[:9], data[:n]
	default:
		return false
	}
	number := binary.LittleEndian.Uint64(value[1:])
	x.Value = float64(int64(number))
	if value[0] == double {
		x.Value = math.Float64frombits(number)
	}
	if x.Value != x.Value || x.Start < 0 || x.Time < 0 {
		return false
	}
	if x.Stream = mc.Stream(attrs); x.Stream == nil {
		return false
	}
	d.batch.Samples = append(d.batch.Samples, x)
	return true
}

func (d *Decoder) point(mc *telemetry.MetricCache, kind telemetry.Kind, data []byte) error {
	if kind < telemetry.Histogram && d.usualNumber(mc, data) {
		return nil
	}
	var x telemetry.Sample
	var f field
	fields := fieldsOf(kind)
	attrTag := byte(fields.attrs<<3 | 2)
	attrsFrom, attrsTo, apart := 0, 0, false
	value, noValue := false, false
	for rest := data; len(rest) > 0; {
		if tag := rest[0]; len(rest) >= 18 && (tag == 2<<3|1 && rest[9] == 3<<3|1 || tag == 3<<3|1 && rest[9] == 2<<3|1) {
			// Nearly all points have both times side by side.
			x.Start, x.Time = int64(binary.LittleEndian.Uint64(rest[1:])), int64(binary.LittleEndian.Uint64(rest[10:]))
			if tag == 3<<3|1 {
				x.Start, x.Time = x.Time, x.Start
			}
			rest = rest[18:]
			continue
		}
		at := len(data) - len(rest)
		var err error
		if list, after := attrList(rest, attrTag); len(list) > 0 {
			f.num, rest = fields.attrs, after
		} else if rest, err = f.next(rest); err != nil {
			return err
		}
		ok := true
		switch f.num {
		case fields.attrs:
			switch {
			case attrsTo == 0:
				attrsFrom = at
			case attrsTo != at:
				apart = true
			}
			attrsTo = len(data) - len(rest)
		case fields.flags:
			var flags uint64
			flags, ok = f.varint()
			noValue = flags&1 != 0
		case fields.min:
			x.Min, ok = f.double()
			x.HasMin = true
		case fields.max:
			x.Max, ok = f.double()
			x.HasMax = true
		case 2, 3:
			var t uint64
			t, ok = f.fixed64()
			if f.num == 2 {
				x.Start = int64(t)
			} else {
				x.Time = int64(t)
			}
		default:
			ok, value, err = d.number(&f, kind, &x, value)
			if err != nil {
				return err
			}
		}
		if !ok {
			return errWire
		}
	}
	switch {
	case noValue:
		d.batch.Skip(telemetry.ReasonNoRecorded, d.where)
		return nil
	case !value && kind < telemetry.Histogram:
		d.batch.Skip(telemetry.ReasonNoValue, d.where)
		return nil
	}
	if reason := x.Fault(kind); reason != "" {
		d.batch.Skip(reason, d.where)
		return nil
	}
	raw := data[attrsFrom:attrsTo]
	if apart {
		raw = d.gather(data, fields.attrs)
	}
	x.Stream = mc.Stream(raw)
	if x.Stream == nil {
		var attrs []telemetry.Attr
		err := each(raw, func(f *field, _ []byte) error { return d.appendAttr(f, &attrs) })
		if err != nil {
			return err
		}
		if x.Stream, err = mc.AddStream(raw, attrs); err != nil {
			d.batch.Skip(telemetry.ReasonTooManyStream, d.where)
			return nil
		}
	}
	d.batch.Samples = append(d.batch.Samples, x)
	return nil
}

// gather copies a point's attributes side by side.
func (d *Decoder) gather(data []byte, num uint32) []byte {
	d.scratch = d.scratch[:0]
	_ = each(data, func(f *field, raw []byte) error { // walked before
		if f.num == num {
			d.scratch = append(d.scratch, raw...)
		}
		return nil
	})
	return d.scratch
}

// number decodes a field that holds a number of the point.
func (d *Decoder) number(f *field, kind telemetry.Kind, x *telemetry.Sample, had bool) (ok, value bool, err error) {
	ok, value = true, had
	if kind < telemetry.Histogram {
		switch f.num {
		case 4:
			x.Value, ok = f.double()
			value = true
		case 6:
			var n uint64
			n, ok = f.fixed64()
			x.Value, value = float64(int64(n)), true
		}
		return ok, value, nil
	}
	switch f.num {
	case 4:
		x.Count, ok = f.fixed64()
		value = true
	case 5:
		x.Value, ok = f.double()
		x.HasSum = true
	case 6:
		switch kind {
		case telemetry.Histogram:
			d.packedCount, ok = f.appendFixed64s(d.packedCount[:0])
			x.Buckets = d.keep(x.Buckets)
		case telemetry.ExpHistogram:
			x.Scale, ok = f.sint32()
		}
	case 7:
		switch kind {
		case telemetry.Histogram:
			x.Bounds, ok = d.bounds(f, x.Bounds)
		case telemetry.ExpHistogram:
			x.Zero, ok = f.fixed64()
		}
	case 8, 9:
		if kind != telemetry.ExpHistogram {
			return true, value, nil
		}
		data, isMessage := f.message()
		if !isMessage {
			return false, value, nil
		}
		into := x
		var negative telemetry.Sample
		if f.num == 9 {
			into = &negative
		}
		if err := d.expBuckets(data, into); err != nil {
			return false, value, err
		}
		for _, n := range negative.Buckets {
			x.Below += n
		}
	}
	return ok, value, nil
}

// keep moves the unpacked counts into the batch, after those of earlier
// fields: a list that is not packed comes one by one.
func (d *Decoder) keep(before []uint64) []uint64 {
	out := d.batch.Counts(len(before) + len(d.packedCount))
	copy(out[copy(out, before):], d.packedCount)
	return out
}

func (d *Decoder) bounds(f *field, before []float64) ([]float64, bool) {
	if raw, ok := f.message(); ok {
		if before == nil && len(raw) > 0 && bytes.Equal(raw, d.boundsRaw) {
			return d.boundsLast, true
		}
		bounds, ok := f.appendDoubles(append([]float64(nil), before...))
		if ok && before == nil {
			d.boundsRaw, d.boundsLast = append(d.boundsRaw[:0], raw...), bounds
		}
		return bounds, ok
	}
	return f.appendDoubles(append([]float64(nil), before...))
}

func (d *Decoder) expBuckets(data []byte, x *telemetry.Sample) error {
	return each(data, func(f *field, _ []byte) error {
		ok := true
		switch f.num {
		case 1:
			x.Offset, ok = f.sint32()
		case 2:
			d.packedCount, ok = f.appendVarints(d.packedCount[:0])
			x.Buckets = d.keep(x.Buckets)
		}
		if !ok {
			return errWire
		}
		return nil
	})
}
