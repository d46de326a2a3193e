package figures

import (
	"math"
	"time"
	"unsafe"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// Moving is a Builder whose window of time moves on. What the window has left
// behind it needs only the last of, to count from; what is still in it is kept.
// Not safe for concurrent use.
type Moving struct {
	settled *Builder // of what the window's end at the back, or a fixed one, has passed
	bound   int64    // what is not after it is settled
	kept    []keptBatch
	size    int64 // of kept, in bytes
	most    int64 // of size
}

type keptBatch struct {
	*telemetry.Batch
	newest int64
	size   int64
}

// Moves says which ends of a window move on, and which stay.
type Moves struct{ Since, Until bool }

// NewMoving returns an empty one that keeps about so many bytes at most; until
// it is moved, its window is that of the options.
func NewMoving(options Options, moves Moves, most int64) *Moving {
	return &Moving{settled: NewBuilder(options), bound: bound(options, moves), most: most}
}

func bound(o Options, moves Moves) int64 {
	switch {
	case moves.Since:
		return o.Since.UnixNano()
	case moves.Until:
		return o.Until.UnixNano()
	}
	return math.MaxInt64
}

// Move moves the window to that of the options; false when that is back, which
// can't be done.
func (m *Moving) Move(options Options, moves Moves) bool {
	to := bound(options, moves)
	if to < m.bound {
		return false
	}
	m.bound = to
	m.settled.moveTo(options.Since, options.Until)
	var kept []keptBatch
	m.size = 0
	for _, b := range m.kept {
		if b.newest <= m.bound {
			m.settled.Add(b.Batch)
			continue
		}
		kept = append(kept, b)
		m.size += b.size
	}
	m.kept = kept
	return true
}

// moveTo changes the window of a builder that was given nothing between the
// window's former ends and its new ones.
func (b *Builder) moveTo(since, until time.Time) {
	b.options.Since, b.options.Until = since, until
	b.window = windowOf(b.options)
	b.spans.window = b.window
	for _, e := range b.streams {
		if e != nil {
			e.window = b.window
		}
	}
}

// AddFile counts one file that was opened.
func (m *Moving) AddFile() { m.settled.AddFile() }

// Skip counts input that could not be used.
func (m *Moving) Skip(s telemetry.Skip) { m.settled.Skip(s) }

// Add takes one batch, and copies what it keeps of it.
func (m *Moving) Add(b *telemetry.Batch) {
	newest := int64(0)
	for i := range b.Samples {
		newest = max(newest, b.Samples[i].Time)
	}
	for i := range b.Spans {
		newest = max(newest, b.Spans[i].End)
	}
	if newest <= m.bound {
		m.settled.Add(b)
		return
	}
	m.settled.Add(&telemetry.Batch{Bytes: b.Bytes, Points: b.Points, SpanN: b.SpanN, Skips: b.Skips})
	if m.Full() {
		return
	}
	kept := keptBatch{Batch: &telemetry.Batch{Segment: b.Segment}, newest: newest}
	kept.AddCopies(b)
	kept.size = int64(len(b.Samples))*int64(unsafe.Sizeof(telemetry.Sample{})) + int64(len(b.Spans))*int64(unsafe.Sizeof(telemetry.Span{}))
	for i := range b.Samples {
		kept.size += 8 * int64(len(b.Samples[i].Buckets))
	}
	m.kept = append(m.kept, kept)
	m.size += kept.size
}

// Full reports whether the window has more in it than is kept: then there is no
// Builder, and all must be read anew.
func (m *Moving) Full() bool { return m.size > m.most }

// Builder returns a builder that has been given what the window has.
func (m *Moving) Builder() *Builder {
	b := m.settled.Clone()
	for _, kept := range m.kept {
		b.Add(kept.Batch)
	}
	return b
}
