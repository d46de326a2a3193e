package figures

import (
	"encoding/binary"
	"maps"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// maxSeen bounds the spans that are remembered, at some 50 bytes each.
const maxSeen = 1 << 16

// repeats finds spans that are read a second time: an exporter that gets no
// answer sends them again, and files are copied. It remembers all of the first
// maxSeen, and of more every second, fourth, eighth and so on: those of input
// that is larger are not found one by one, but how many they are about.
type repeats struct {
	seen map[spanKey]bool // whether there was nothing more to come of it
	bits uint             // keys are remembered whose hash ends in so many zeros

	found  int64  // one by one
	first  string // the operation of the first of them
	missed int64  // about how many were not
}

func newRepeats() repeats { return repeats{seen: map[spanKey]bool{}} }

// again reports whether a span is certainly one that was read before and can be
// left out.
func (r *repeats) again(x *telemetry.Span) bool {
	key := spanKey{x.Trace, x.ID}
	if !r.has(key) {
		r.add(key)
		return false
	}
	if r.bits > 0 {
		r.missed += 1 << r.bits
		return false
	}
	if r.found == 0 {
		r.first = operationKey{x.Dependency, x.Operation}.String()
	}
	r.found++
	return true
}

// has reports whether a span is remembered.
func (r *repeats) has(key spanKey) bool {
	if !r.remembers(key) {
		return false
	}
	_, ok := r.seen[key]
	return ok
}

func (r *repeats) add(key spanKey) {
	if !r.remembers(key) || key.id == [8]byte{} { // it has no id, as others may not have
		return
	}
	r.seen[key] = true
	for len(r.seen) > maxSeen {
		r.bits++
		maps.DeleteFunc(r.seen, func(key spanKey, _ bool) bool { return !r.remembers(key) })
	}
}

// expect says that more of a request may come than was read of it.
func (r *repeats) expect(key spanKey) {
	if r.has(key) {
		r.seen[key] = false
	}
}

// complete reports whether a request is remembered of which nothing is expected.
func (r *repeats) complete(key spanKey) bool { return r.seen[key] }

func (r *repeats) remembers(key spanKey) bool { return key.hash()&(1<<r.bits-1) == 0 }

// hash mixes an id, which may be anything but is mostly random already.
func (k *spanKey) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := binary.LittleEndian.Uint64(k.trace[:]) ^ binary.LittleEndian.Uint64(k.trace[8:])*odd
	h = (h ^ binary.LittleEndian.Uint64(k.id[:])) * odd
	return (h ^ h>>32) * odd >> 24
}

func (r *repeats) clone() repeats {
	c := *r
	c.seen = maps.Clone(r.seen)
	return c
}
