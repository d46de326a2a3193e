package telemetry

import (
	"bytes"
	"hash/maphash"
)

// Bounds of what a builder remembers: how many lists of attributes, a power of
// two, and how long one may be.
const (
	maxRecalled    = 1 << 10
	maxRecalledRaw = 1 << 10
)

// recalled are the attributes of spans under the raw bytes that they were
// decoded from. Most spans repeat an earlier one's attributes to the byte: all
// that succeed at their first attempt, from the same place in the code. Each
// list has two places, by its hash; a new one takes the place of that of the
// two which was put there earlier.
type recalled struct {
	seed    maphash.Seed
	entries []*recalledAttrs
	miss    int // where the list belongs that Recall did not find
}

const nowhere = -1

type recalledAttrs struct {
	raw    []byte
	failed bool // what raw says of the status
	attrs  spanAttrs
}

func newRecalled() recalled {
	return recalled{seed: maphash.MakeSeed(), entries: make([]*recalledAttrs, maxRecalled)}
}

// Recall gives the span the attributes of an earlier one whose raw bytes were
// the same, and its failure where they tell of one, and reports whether there
// was one. When there was none, Remember
// after the attributes were decoded lets later spans recall them.
func (b *SpanBuilder) Recall(raw []byte) bool {
	b.miss = nowhere
	if b.attrs != nil || len(raw) > maxRecalledRaw {
		return false // a second list adds to the first
	}
	i := int(maphash.Bytes(b.seed, raw) % maxRecalled)
	for _, e := range [...]*recalledAttrs{b.entries[i], b.entries[i^1]} {
		if e != nil && bytes.Equal(e.raw, raw) {
			b.attrs, b.Failed = &e.attrs, b.Failed || e.failed
			return true
		}
	}
	b.miss = i
	return false
}

// Remember notes the raw bytes that Recall did not know, and that the span's
// attributes were decoded from since.
func (b *SpanBuilder) Remember(raw []byte) { b.remember(raw, false) }

// RememberAll is Remember for raw bytes that the span's status, or that it has
// none, was decoded from too.
func (b *SpanBuilder) RememberAll(raw []byte) { b.remember(raw, b.Failed) }

func (b *SpanBuilder) remember(raw []byte, failed bool) {
	i := b.miss
	if i == nowhere {
		return
	}
	e := b.entries[i^1]
	if e == nil {
		e = &recalledAttrs{}
	}
	b.entries[i], b.entries[i^1] = e, b.entries[i]
	e.raw, e.failed = append(e.raw[:0], raw...), failed
	if e.attrs = (spanAttrs{}); b.attrs != nil {
		e.attrs = *b.attrs
		b.attrs = &e.attrs // so that Build leaves there what it finds
	}
}
