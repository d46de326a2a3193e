package reader

import (
	"sync"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// pool keeps buffers for use again, also such as grew for a long document, up
// to maxKept: files that have one long line have many.
type pool struct{ p sync.Pool }

const maxKept = 8 << 20

func newPool() *pool { return &pool{} }

// get returns a buffer of at least chunkSize, full of anything.
func (p *pool) get() []byte { return p.atLeast(chunkSize) }

func (p *pool) atLeast(size int) []byte {
	if b, ok := p.p.Get().(*[]byte); ok && cap(*b) >= size {
		return *b
	}
	return make([]byte, size)
}

// grow returns a buffer of at least twice the size that begins as b does.
func (p *pool) grow(b []byte) []byte {
	out := p.atLeast(2 * len(b))
	copy(out, b)
	p.put(b)
	return out
}

func (p *pool) put(b []byte) {
	if cap(b) < chunkSize || cap(b) > maxKept {
		return
	}
	b = b[:cap(b)]
	p.p.Put(&b)
}

// batches keeps batches for use again.
type batches struct{ p sync.Pool }

func (p *batches) get(segment int) *telemetry.Batch {
	b, ok := p.p.Get().(*telemetry.Batch)
	if !ok {
		b = &telemetry.Batch{}
	}
	b.Reset()
	b.Segment = segment
	return b
}

func (p *batches) put(b *telemetry.Batch) { p.p.Put(b) }
