package figures

import (
	"encoding/binary"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// maxSeen bounds the spans that are remembered, at some 20 bytes each.
const maxSeen = 1 << 16

// repeats finds spans that are read a second time: an exporter that gets no
// answer sends them again, and files are copied. It remembers all of the first
// maxSeen, and of more every second, fourth, eighth and so on: those of input
// that is larger are not found one by one, but how many they are about.
type repeats struct {
	seen keySet
	bits uint // keys are remembered whose hash ends in so many zeros

	found  int64  // one by one
	first  string // the operation of the first of them
	missed int64  // about how many were not
}

func newRepeats() repeats { return repeats{seen: newKeySet()} }

// again reports whether a span is certainly one that was read before and can be
// left out.
func (r *repeats) again(x *telemetry.Span) bool {
	if !r.add(spanKey{x.Trace, x.ID}) {
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

// add remembers a span, and reports whether it was remembered already.
func (r *repeats) add(key spanKey) (was bool) {
	hash := key.hash()
	if !r.remembers(hash) || key.id == [8]byte{} { // it has no id, as others may not have
		return false
	}
	was = r.seen.add(&key, hash)
	for r.seen.n > maxSeen {
		r.bits++
		r.seen.keep(r.bits)
	}
	return was
}

// expect says that more of a request may come than was read of it.
func (r *repeats) expect(key spanKey) {
	if x := r.find(key); x != nil {
		*x |= moreBit
	}
}

// complete reports whether a request is remembered of which nothing is expected.
func (r *repeats) complete(key spanKey) bool {
	x := r.find(key)
	return x != nil && *x&moreBit == 0
}

func (r *repeats) find(key spanKey) *keySlot {
	hash := key.hash()
	if !r.remembers(hash) {
		return nil
	}
	return r.seen.find(&key, hash)
}

func (r *repeats) remembers(hash uint64) bool { return hash&(1<<r.bits-1) == 0 }

// hash mixes an id, which may be anything but is mostly random already.
func (k *spanKey) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := binary.LittleEndian.Uint64(k.trace[:]) ^ binary.LittleEndian.Uint64(k.trace[8:])*odd
	h = (h ^ binary.LittleEndian.Uint64(k.id[:])) * odd
	return (h ^ h>>32) * odd >> 24
}

func (r *repeats) clone() repeats {
	c := *r
	c.seen = r.seen.clone()
	return c
}
