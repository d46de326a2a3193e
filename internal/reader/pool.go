package reader

import (
	"sync"

	"github.com/retrykit/retrykit/internal/telemetry"
)

// pool keeps buffers of chunkSize for use again.
type pool struct{ p sync.Pool }

func newPool() *pool {
	return &pool{sync.Pool{New: func() any { b := make([]byte, chunkSize); return &b }}}
}

func (p *pool) get() []byte { return *p.p.Get().(*[]byte) }

func (p *pool) put(b []byte) {
	if cap(b) != chunkSize { // a long document's: let it go
		return
	}
	b = b[:chunkSize]
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
