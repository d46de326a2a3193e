package figures

import (
	"slices"
	"time"
)

// maxSlots bounds the stretch of time that one track covers, in slots; past it
// slots double in width.
const maxSlots = 512

// track is a count over time in slots of equal, adaptive width.
type track struct {
	width int64     // ns
	base  int64     // the number of the first slot, counted from 1970
	slots []float64 // from base on
}

func newTrack() *track { return &track{width: int64(time.Second)} }

func (t *track) add(at int64, n float64) {
	if t == nil || at <= 0 || n == 0 {
		return
	}
	if i := at/t.width - t.base; i >= 0 && i < int64(len(t.slots)) {
		t.slots[i] += n
		return
	}
	t.reach(at)
	t.slots[at/t.width-t.base] += n
}

// reach makes the track cover a time.
func (t *track) reach(at int64) {
	if len(t.slots) == 0 {
		t.base, t.slots = at/t.width, make([]float64, 1, 16)
		return
	}
	for {
		slot := at / t.width
		first, last := min(t.base, slot), max(t.base+int64(len(t.slots))-1, slot)
		if last-first < maxSlots {
			if first < t.base {
				t.slots = append(make([]float64, t.base-first), t.slots...)
				t.base = first
			}
			for int64(len(t.slots)) <= last-first {
				t.slots = append(t.slots, 0)
			}
			return
		}
		t.widen(t.width * 2)
	}
}

// widen makes slots at least that wide. Pairs of slots become one, in place: a
// slot goes to where it was or before.
func (t *track) widen(width int64) {
	for t.width < width {
		base, wider := t.base>>1, 0
		for i, n := range t.slots {
			j := int((t.base+int64(i))>>1 - base)
			if j == wider {
				t.slots[j] = n
				wider++
			} else {
				t.slots[j] += n
			}
		}
		t.slots, t.base, t.width = t.slots[:wider], base, t.width*2
	}
}

// get returns the count of a slot.
func (t *track) get(slot int64) float64 {
	if i := slot - t.base; i >= 0 && i < int64(len(t.slots)) {
		return t.slots[i]
	}
	return 0
}

// alignTracks gives all tracks one width, such that together they use at most
// maxSlots slots, and returns it with those slots in order.
func alignTracks(tracks []*track) (width int64, slots []int64) {
	width = int64(time.Second)
	for _, t := range tracks {
		width = max(width, t.width)
	}
	for used := map[int64]bool{}; ; width *= 2 {
		clear(used)
		for _, t := range tracks {
			t.widen(width)
			for i, n := range t.slots {
				if n != 0 {
					used[t.base+int64(i)] = true
				}
			}
		}
		if len(used) > maxSlots {
			continue
		}
		for slot := range used {
			slots = append(slots, slot)
		}
		slices.Sort(slots)
		return width, slots
	}
}
