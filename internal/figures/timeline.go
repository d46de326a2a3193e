package figures

import (
	"slices"
	"time"
)

// maxSlots bounds the slots of one track; past it slots double in width.
const maxSlots = 256

// track is a count over time in slots of equal, adaptive width.
type track struct {
	width int64 // ns
	slots map[int64]float64
}

func newTrack() *track { return &track{width: int64(time.Second), slots: map[int64]float64{}} }

func (t *track) add(at int64, n float64) {
	if t == nil || at <= 0 || n == 0 {
		return
	}
	t.slots[at/t.width] += n
	if len(t.slots) > maxSlots {
		t.widen(t.width * 2)
	}
}

func (t *track) widen(width int64) {
	for t.width < width {
		wider := make(map[int64]float64, len(t.slots)/2+1)
		for slot, n := range t.slots {
			wider[slot>>1] += n
		}
		t.slots, t.width = wider, t.width*2
	}
}

// alignTracks gives all tracks the width of the widest, and returns it with
// the slots that any of them uses, in order.
func alignTracks(tracks []*track) (width int64, slots []int64) {
	width = int64(time.Second)
	for _, t := range tracks {
		width = max(width, t.width)
	}
	used := map[int64]bool{}
	for {
		clear(used)
		for _, t := range tracks {
			t.widen(width)
			for slot := range t.slots {
				used[slot] = true
			}
		}
		if len(used) <= maxSlots {
			break
		}
		width *= 2
	}
	for slot := range used {
		slots = append(slots, slot)
	}
	slices.Sort(slots)
	return width, slots
}
