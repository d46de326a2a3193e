// Package otlpproto decodes OTLP's protobuf on the wire, without building
// messages: what is not asked for is stepped over. Metrics, traces and logs
// are told apart by what their innermost messages look like, since nothing
// else says which of them a file holds.
package otlpproto

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Decoder decodes messages. One per goroutine.
type Decoder struct {
	cache   *telemetry.Cache
	catalog *telemetry.Catalog
	intern  func([]byte) string
	span    *telemetry.SpanBuilder

	batch *telemetry.Batch
	where string
	spans bool // the scope at hand holds spans

	text        [32]byte // of a number in an attribute
	scratch     []byte   // attributes of a point that do not lie side by side
	boundsRaw   []byte
	boundsLast  []float64
	packedCount []uint64
}

// New returns a decoder that interns in registry.
func New(registry *telemetry.Registry) *Decoder {
	intern := telemetry.NewInterner(registry).Intern
	return &Decoder{
		cache: telemetry.NewCache(registry), catalog: registry.Catalog(),
		intern: intern, span: telemetry.NewSpanBuilder(registry),
	}
}

// Message decodes an export request: metrics, traces or logs.
func (d *Decoder) Message(data []byte, batch *telemetry.Batch, where string) error {
	return each(data, func(f *field, _ []byte) error {
		if f.num != 1 {
			return nil
		}
		resource, ok := f.message()
		if !ok {
			return errWire
		}
		return d.Resource(resource, batch, where)
	})
}

// each calls do with every field of a message, and the raw field.
func each(data []byte, do func(f *field, raw []byte) error) error {
	var f field
	for len(data) > 0 {
		rest, err := f.next(data)
		if err != nil {
			return err
		}
		if err := do(&f, data[:len(data)-len(rest)]); err != nil {
			return err
		}
		data = rest
	}
	return nil
}

func isScopes(num uint32) bool { return num == 2 || num == 1000 } // 1000: its deprecated form

// Resource decodes one of the messages that an export request is a list of.
func (d *Decoder) Resource(data []byte, batch *telemetry.Batch, where string) error {
	d.batch, d.where = batch, where
	var resource []byte
	var f field
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		if f.num == 1 {
			var ok bool
			if resource, ok = f.message(); !ok {
				return errWire
			}
		}
	}
	rc := d.cache.Resource(resource)
	if rc == nil {
		var attrs []telemetry.Attr
		err := each(resource, func(f *field, _ []byte) error {
			if f.num != 1 {
				return nil
			}
			return d.appendAttr(f, &attrs)
		})
		if err != nil {
			return err
		}
		rc = d.cache.AddResource(resource, attrs)
	}
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		if !isScopes(f.num) {
			continue
		}
		scope, ok := f.message()
		if !ok {
			return errWire
		}
		if err := d.scope(rc, scope); err != nil {
			return err
		}
	}
	return nil
}

func (d *Decoder) scope(rc *telemetry.ResourceCache, data []byte) error {
	name, err := d.scopeName(data)
	if err != nil {
		return err
	}
	var f field
	d.spans = false
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		if f.num != 2 {
			continue
		}
		item, ok := f.message()
		if !ok {
			return errWire
		}
		if d.spans { // where there is one span, all are
			err = d.readSpan(item)
		} else {
			err = d.item(rc, name, item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scopeName returns the name of a scope's own message, which is the first of
// its fields, or after all others.
func (d *Decoder) scopeName(data []byte) (string, error) {
	var f, inner field
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return "", err
		}
		if f.num != 1 {
			continue
		}
		scope, ok := f.message()
		if !ok {
			return "", errWire
		}
		name := ""
		for len(scope) > 0 {
			if scope, err = inner.next(scope); err != nil {
				return "", err
			}
			if inner.num == 1 {
				text, ok := inner.message()
				if !ok {
					return "", errWire
				}
				name = d.intern(text)
			}
		}
		return name, nil
	}
	return "", nil
}

// item decodes a metric, a span or a log record.
func (d *Decoder) item(rc *telemetry.ResourceCache, scope string, data []byte) error {
	var f field
	var name, points []byte
	kind, have := telemetry.Sum, false
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		switch f.num {
		case 1:
			text, ok := f.message()
			if !ok {
				d.batch.Recognised = true
				return nil // a log record: its field 1 is a time
			}
			name = text
		case 7, 8:
			if _, ok := f.fixed64(); ok {
				d.spans = true
				return d.readSpan(data)
			}
		}
		switch f.num {
		case 5:
			kind = telemetry.Gauge
		case 7:
			kind = telemetry.Sum
		case 9:
			kind = telemetry.Histogram
		case 10:
			kind = telemetry.ExpHistogram
		case 11:
			kind = telemetry.Summary
		default:
			continue
		}
		var ok bool
		if points, ok = f.message(); !ok {
			return errWire
		}
		have = true
	}
	d.batch.Recognised = true
	if !have {
		return nil
	}
	m, wanted := d.catalog.Metric(name)
	return d.data(rc, scope, m, kind, wanted, points)
}

func (d *Decoder) data(rc *telemetry.ResourceCache, scope string, m contract.Metric, kind telemetry.Kind, wanted bool, data []byte) error {
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
type pointFields struct{ attrs, flags uint32 }

func fieldsOf(kind telemetry.Kind) pointFields {
	switch kind {
	case telemetry.Histogram:
		return pointFields{9, 10}
	case telemetry.ExpHistogram:
		return pointFields{1, 10}
	}
	return pointFields{7, 8}
}

func (d *Decoder) point(mc *telemetry.MetricCache, kind telemetry.Kind, data []byte) error {
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
	case kind == telemetry.Histogram && len(x.Buckets) > 0 && len(x.Buckets) != len(x.Bounds)+1:
		d.batch.Skip(telemetry.ReasonBuckets, d.where)
		return nil
	case x.Value != x.Value && kind < telemetry.Histogram:
		d.batch.Skip(telemetry.ReasonNumber, d.where)
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

func (d *Decoder) readSpan(data []byte) error {
	d.batch.SpanN++
	d.batch.Recognised = true
	b := d.span
	b.Reset()
	var h head
	rest := h.forwards(data, b)
	var f field
	var raw []byte
	for len(rest) > 0 {
		switch rest[0] {
		case 9<<3 | 2:
			list, after := attrList(rest, rest[0])
			if len(list) > 0 {
				if err := d.spanAttrs(list); err != nil {
					return err
				}
				rest = after
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
	if !b.Build(h.name, int32(h.kind) == client) {
		return nil
	}
	b.Start, b.End = spanTime(h.start), spanTime(h.end)
	switch {
	case h.badID:
		d.batch.Skip(telemetry.ReasonID, d.where)
	case b.End < b.Start || b.End == 0:
		d.batch.Skip(telemetry.ReasonTimes, d.where)
	default:
		d.batch.Spans = append(d.batch.Spans, b.Span)
	}
	return nil
}

// client is the kind of a span that is its sender's.
const client = 3

// head is what a span says of itself before its attributes.
type head struct {
	name             []byte
	kind, start, end uint64
	badID            bool
}

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
		rest = rest[18:]
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

// spanAttrs decodes attributes that attrList has walked.
func (d *Decoder) spanAttrs(list []byte) error {
	if d.span.Recall(list) {
		return nil
	}
	for rest := list; len(rest) > 0; {
		from, to := 2, 2+int(rest[1])
		if rest[1] >= 0x80 {
			from, to = 3, 3+(int(rest[1]&0x7f)|int(rest[2])<<7)
		}
		if err := d.spanAttr(rest[from:to]); err != nil {
			return err
		}
		rest = rest[to:]
	}
	d.span.Remember(list)
	return nil
}

// attrList returns the attributes under that tag that the data of a span or
// point begins with, as long as each is shorter than 16 KiB, as all are, and
// what follows them.
func attrList(data []byte, tag byte) (list, after []byte) {
	i := 0
	for i+1 < len(data) && data[i] == tag {
		from, n := i+2, int(data[i+1])
		if n >= 0x80 {
			if from >= len(data) || data[from] >= 0x80 {
				break
			}
			n = n&0x7f | int(data[from])<<7
			from++
		}
		if n > len(data)-from {
			break
		}
		i = from + n
	}
	return data[:i], data[i:]
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
	case data[0] == 1<<3|2 && data[n] == 2<<3|2:
		return data[2:n], data[n+2:], true
	case data[0] == 2<<3|2 && data[n] == 1<<3|2:
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
