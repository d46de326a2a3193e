package figures

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestTracksLoseNothing adds counts at random times and in random order: the
// slots' sum stays what was added, and each count lies in its slot.
func TestTracksLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := newTrack(), newTrack()
		times := rapid.SliceOfN(rapid.Int64Range(1, int64(400*24*time.Hour)), 1, 200).Draw(t, "times")
		for i, at := range times {
			if i%2 == 0 {
				a.add(at, 1)
			} else {
				b.add(at, 1)
			}
		}
		width, slots := alignTracks([]*track{a, b})
		assert.LessOrEqual(t, len(slots), maxSlots)
		var sum float64
		for _, s := range slots {
			sum += a.get(s) + b.get(s)
		}
		assert.Equal(t, float64(len(times)), sum)
		for _, at := range times {
			assert.Positive(t, a.get(at/width)+b.get(at/width))
		}
	})
}
