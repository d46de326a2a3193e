// Package otlpproto decodes OTLP's protobuf on the wire, without building
// messages: what is not asked for is stepped over. Metrics, traces and logs
// are told apart by what their innermost messages look like, since nothing
// else says which of them a file holds.
package otlpproto

import (
	"google.golang.org/protobuf/encoding/protowire"

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
	name  lazyName

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
	d.name = lazyName{scope: data}
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
			err = d.item(rc, item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lazyName is the name of the scope at hand, once it was asked for: only
// metrics that are wanted do.
type lazyName struct {
	scope []byte
	known bool
	text  string
}

// scopeName returns the name of a scope's own message, which is the first of
// its fields, or after all others.
func (d *Decoder) scopeName() (string, error) {
	if d.name.known {
		return d.name.text, nil
	}
	text, err := d.findName(d.name.scope)
	d.name.text, d.name.known = text, err == nil
	return text, err
}

func (d *Decoder) findName(data []byte) (string, error) {
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

// item decodes a metric or a span, and steps over a log record or a profile.
// Which of them it is, the wire types of its fields say: all of a metric's are
// messages or texts.
func (d *Decoder) item(rc *telemetry.ResourceCache, data []byte) error {
	var f field
	var name, points []byte
	kind, have := telemetry.Sum, false
	var signs signs
	for rest := data; len(rest) > 0; {
		var err error
		if rest, err = f.next(rest); err != nil {
			return err
		}
		switch {
		case f.ofSpan():
			d.spans = true
			return d.readSpan(data)
		case f.ofOthers():
			d.batch.Recognised = true
			return nil
		}
		signs.see(&f)
		if f.num == 1 {
			name, _ = f.message()
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
	if signs.must() {
		d.spans = true
		return d.readSpan(data)
	}
	if !have || name == nil { // what has no name may be a log record, of which nothing told
		return nil
	}
	m, wanted := d.catalog.Metric(name)
	mark := d.batch.Mark()
	err := d.data(rc, m, kind, wanted, points)
	if err != nil && !wanted && signs.may() { // points that are none: it was a name
		d.batch.Rollback(mark)
		d.spans = true
		return d.readSpan(data)
	}
	return err
}

// signs of a span that has neither a kind nor times: all its fields are messages
// or texts, as a metric's are.
type signs struct{ trace, id, name, attributes, others bool }

func (s *signs) see(f *field) {
	raw, ok := f.message()
	switch {
	case !ok:
	case f.num == 1:
		s.trace = len(raw) == 16
	case f.num == 2:
		s.id = len(raw) == 8
	case f.num == 5:
		s.name = true
	case f.num == 9:
		s.attributes = true
	case f.num == 4, f.num == 13, f.num == 15: // its parent, links and status
		s.others = true
	}
}

// may reports whether the item can be a span. A metric can look so too, with a
// name of 16 bytes and a description of 8.
func (s *signs) may() bool { return s.trace && s.id }

// must reports whether the item can't be anything else: a metric has one kind of
// points.
func (s *signs) must() bool { return s.may() && (s.others || s.name && s.attributes) }

// ofSpan reports whether the field is one that only a span has: its kind, its
// times, and the numbers of what was dropped.
func (f *field) ofSpan() bool {
	switch f.num {
	case 6: // with a greater number it is how often a profile took a sample
		return f.kind == protowire.VarintType && f.number <= greatestKind
	case 10, 12, 14:
		return f.kind == protowire.VarintType
	case 7, 8:
		return f.kind == protowire.Fixed64Type
	}
	return false
}

// greatestKind is that of a span that consumes messages.
const greatestKind = 5

// ofOthers reports whether the field is one that only a log record or a profile
// has: its times, a log record's severity, attributes and flags, how long a
// profile took, and the number of attributes that were dropped.
func (f *field) ofOthers() bool {
	switch f.num {
	case 1, 3, 11:
		return f.kind == protowire.Fixed64Type
	case 2, 4, 7:
		return f.kind == protowire.VarintType
	case 6:
		return f.kind == protowire.BytesType
	case 8:
		return f.kind == protowire.Fixed32Type || f.kind == protowire.VarintType
	}
	return false
}
