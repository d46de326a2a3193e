package reader

import (
	"sync/atomic"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// pool keeps the buffers of one input for use again, also such as grew for a
// long document, up to maxKept: files that have one long line have many. There
// are as many as are under way at a time, and the garbage collector leaves them
// alone, which a sync.Pool's it takes away every few megabytes.
type pool struct {
	free chan []byte
	size atomic.Int64 // of new buffers: of the longest that was needed, up to maxKept
}

const (
	maxKept = 8 << 20
	// underWay is more buffers than workers hold at a time on most machines.
	underWay = 64
)

func newPool() *pool {
	p := &pool{free: make(chan []byte, underWay)}
	p.size.Store(chunkSize)
	return p
}

// atLeast returns a buffer of at least that size, full of anything.
func (p *pool) atLeast(size int) []byte {
	if n := p.size.Load(); int64(size) > n && size <= maxKept {
		p.size.Store(int64(size)) // shorter ones are dropped as they come back
	}
	for {
		select {
		case b := <-p.free:
			if len(b) >= size {
				return b
			}
		default:
			return make([]byte, max(size, int(p.size.Load())))
		}
	}
}

// grow returns a buffer of at least twice the size that begins as b does.
func (p *pool) grow(b []byte) []byte {
	out := p.atLeast(2 * len(b))
	copy(out, b)
	p.put(b)
	return out
}

func (p *pool) put(b []byte) {
	b = b[:cap(b)]
	if int64(len(b)) < p.size.Load() || len(b) > maxKept {
		return
	}
	select {
	case p.free <- b:
	default:
	}
}

// batches keeps batches for use again, as a pool does buffers.
type batches struct{ free chan *telemetry.Batch }

func newBatches() batches { return batches{make(chan *telemetry.Batch, underWay)} }

func (p batches) get(segment int) *telemetry.Batch {
	var b *telemetry.Batch
	select {
	case b = <-p.free:
	default:
		b = &telemetry.Batch{}
	}
	b.Reset()
	b.Segment = segment
	return b
}

// maxKeptItems are some megabytes of samples and spans.
const maxKeptItems = 1 << 16

func (p batches) put(b *telemetry.Batch) {
	if cap(b.Samples)+cap(b.Spans) > maxKeptItems {
		return
	}
	select {
	case p.free <- b:
	default:
	}
}
