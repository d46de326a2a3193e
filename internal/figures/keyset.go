package figures

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// keySet is a set of spans with a mark each. All spans that count are looked for
// in it, most in vain, so that it is small enough to stay in a processor's cache:
// of each it keeps 57 bits of a hash whose seed nobody knows. Of 65,536 spans two
// are taken for one with a probability of 1 in 60 million.
type keySet struct {
	seed  maphash.Seed
	slots []keySlot // a power of two of them, or none; every second one at least is free
	n     int
}

// keySlot is 57 bits of a hash, the level of a key in 6, and whether more may
// come of it in the last; 0 where nothing is.
type keySlot uint64

const (
	leastSlots = 1 << 8
	levelBits  = 6
	moreBit    = 1
	hashShift  = levelBits + 1
)

func newKeySet() keySet { return keySet{seed: maphash.MakeSeed()} }

// level is in how many zeros the hash ends by which it was chosen what is
// remembered.
func (x keySlot) level() uint { return uint(x>>1) & (1<<levelBits - 1) }

// slotOf is what is kept of a key.
func (s *keySet) slotOf(key *spanKey, hash uint64) keySlot {
	h := maphash.Comparable(s.seed, *key) >> hashShift
	level := min(bits.TrailingZeros64(hash), 1<<levelBits-1)
	return keySlot(max(h, 1)<<hashShift | uint64(level)<<1)
}

// place returns where a key is, or where it belongs.
func (s *keySet) place(x keySlot) *keySlot {
	for i := x >> hashShift; ; i++ {
		if at := &s.slots[i&keySlot(len(s.slots)-1)]; *at == 0 || *at&^moreBit == x&^moreBit {
			return at
		}
	}
}

// find returns where a key is, nil if it is not there.
func (s *keySet) find(key *spanKey, hash uint64) *keySlot {
	if s.n == 0 {
		return nil
	}
	if at := s.place(s.slotOf(key, hash)); *at != 0 {
		return at
	}
	return nil
}

// add adds a key, and reports whether it was there.
func (s *keySet) add(key *spanKey, hash uint64) (was bool) {
	if 2*s.n >= len(s.slots) {
		s.move(max(leastSlots, 2*len(s.slots)), 0)
	}
	x := s.slotOf(key, hash)
	at := s.place(x)
	if *at != 0 {
		return true
	}
	*at = x
	s.n++
	return false
}

// keep drops the keys below a level.
func (s *keySet) keep(level uint) { s.move(len(s.slots), level) }

// move moves the keys of a level, or more, to so many slots.
func (s *keySet) move(slots int, level uint) {
	old := s.slots
	s.slots, s.n = make([]keySlot, slots), 0
	for _, x := range old {
		if x != 0 && x.level() >= level {
			*s.place(x) = x
			s.n++
		}
	}
}

func (s *keySet) clone() keySet { return keySet{s.seed, slices.Clone(s.slots), s.n} }
