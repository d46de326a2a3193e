package reader

import "github.com/retrykit/retrykit/internal/telemetry"

// batches keeps the batches of one worker for use again, which the garbage
// collector would take away from a sync.Pool every few megabytes. Another
// goroutine may put them back.
type batches struct{ free chan *telemetry.Batch }

func newBatches() batches { return batches{make(chan *telemetry.Batch, keptBatches)} }

// keptBatches are as many as wait for being counted, and some.
const keptBatches = 8

// A result is what a worker decoded, and where the batch goes back to.
type result struct {
	batch *telemetry.Batch
	home  batches
}

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
