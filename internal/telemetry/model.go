// Package telemetry is what the readers turn bytes into and the figures are
// made from: samples of metric streams, and spans of requests and attempts.
// It knows neither formats nor figures.
package telemetry

import (
	"slices"
	"strings"
)

// Attr is one attribute. Values are kept as text: 1, true and "1", "true" are
// the same to every question that is asked here.
type Attr struct{ Key, Value string }

// Attrs are attributes sorted by key, one per key.
type Attrs []Attr

// Get returns the value under key; false when there is none.
func (a Attrs) Get(key string) (string, bool) {
	i, ok := slices.BinarySearchFunc(a, key, func(x Attr, k string) int { return strings.Compare(x.Key, k) })
	if !ok {
		return "", false
	}
	return a[i].Value, true
}

// NewAttrs sorts attributes; of several under one key the last one stays.
func NewAttrs(attrs []Attr) Attrs {
	out := slices.Clone(attrs)
	slices.SortStableFunc(out, func(x, y Attr) int { return strings.Compare(x.Key, y.Key) })
	kept := out[:0]
	for i, a := range out {
		if i+1 < len(out) && out[i+1].Key == a.Key {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

// String is a form of the attributes that is equal exactly when they are.
func (a Attrs) String() string {
	var b strings.Builder
	a.key(&b)
	return b.String()
}

// key is a form of the attributes that is equal exactly when they are.
func (a Attrs) key(b *strings.Builder) {
	for _, x := range a {
		b.WriteString(x.Key)
		b.WriteByte(0)
		b.WriteString(x.Value)
		b.WriteByte(1)
	}
}

// Kind is what a stream's samples are.
type Kind uint8

// The kinds of streams.
const (
	Sum Kind = iota // monotonic
	UpDown
	Gauge
	Histogram    // explicit bounds
	ExpHistogram // base-2 exponential
	Summary      // counts and sums, no usable buckets
)

// Temporality says whether samples add up or replace each other.
type Temporality uint8

// The temporalities. Unspecified comes from files only and is refused.
const (
	Unspecified Temporality = iota
	Delta
	Cumulative
)

// Identity is what makes a stream one stream.
type Identity struct {
	Resource    Attrs
	Scope       string
	Metric      string // canonical name, see Catalog
	Kind        Kind
	Temporality Temporality
	Attrs       Attrs
}

// Stream is one interned identity. Streams of one Registry with equal
// identities are the same pointer. Immutable.
type Stream struct {
	ID int // dense, from 0
	Identity
}

// Sample is one data point of a stream. Times are nanoseconds since 1970; 0 is
// unknown.
type Sample struct {
	Stream      *Stream
	Start, Time int64
	Value       float64 // the number; of histograms the sum
	HasSum      bool    // histograms: Value was given

	// Histograms only.
	Count   uint64
	Min     float64 // of all since Start, where HasMin says that it was given
	Max     float64
	HasMin  bool
	HasMax  bool
	Bounds  []float64 // explicit: upper bounds; shared, not to be changed
	Buckets []uint64  // explicit: one more than Bounds; exponential: from Offset
	Scale   int32     // exponential
	Offset  int32
	Zero    uint64
	Below   uint64 // exponential: observations less than zero
}

// Role says what a span is to a request.
type Role uint8

// The roles of spans.
const (
	Request    Role = iota // one logical request
	Attempt                // one attempt, child of its request
	HTTPClient             // one send of an HTTP client that counts resends
)

// Span is one span worth keeping.
type Span struct {
	Trace      [16]byte
	ID, Parent [8]byte
	Start, End int64
	Failed     bool // status Error
	*Facts          // never nil, and shared: not to be changed
}

// Facts are what a span's attributes say of it. Most spans say what another one
// said, and share them: their strings are compared once, and not for each span.
type Facts struct {
	Number     int // dense, from 1, of facts that are one for a whole Registry; 0: of those past its bound
	Role       Role
	Dependency string
	Operation  string
	Outcome    string // request
	ErrorType  string
	CallSite   string // request: "file:line"
	Attempts   int    // request: how many there were, 0 unknown
	Attempt    int    // attempt: number from 1; HTTP: resend count
}

// Skip is input that could not be used.
type Skip struct {
	Reason string
	Count  int64
	Where  string // file:line or file:offset of the first
}

// Batch is what a reader found in one stretch of its input. Slices of its
// samples point into the batch, so that it is valid only during the call that
// hands it over.
type Batch struct {
	Segment int // counts inputs: samples of one segment came in this order
	Samples []Sample
	Spans   []Span
	Skips   []Skip
	Bytes   int64 // raw input, after decompression
	Points  int64 // all data points seen, kept or not
	SpanN   int64 // all spans seen, kept or not
	// Recognised says that some of it was telemetry, if only of other things.
	Recognised bool

	counts []uint64
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	*b = Batch{Samples: b.Samples[:0], Spans: b.Spans[:0], Skips: b.Skips[:0], counts: b.counts[:0]}
}

// Counts returns a slice of n bucket counts that lives as long as the batch.
func (b *Batch) Counts(n int) []uint64 {
	if cap(b.counts)-len(b.counts) < n {
		b.counts = make([]uint64, 0, max(4096, 2*cap(b.counts), n))
	}
	at := len(b.counts)
	b.counts = b.counts[:at+n]
	return b.counts[at : at+n : at+n]
}

// AddCopies adds copies of the samples and spans of another batch.
func (b *Batch) AddCopies(from *Batch) {
	n := len(b.Samples)
	b.Samples = append(b.Samples, from.Samples...)
	for i := range b.Samples[n:] {
		if x := &b.Samples[n+i]; x.Buckets != nil {
			x.Buckets = slices.Clone(x.Buckets)
		}
	}
	b.Spans = append(b.Spans, from.Spans...)
}

// Skip counts one thing that was left out.
func (b *Batch) Skip(reason, where string) { b.SkipN(reason, where, 1) }

// SkipN counts n of them.
func (b *Batch) SkipN(reason, where string, n int64) {
	for i := range b.Skips {
		if b.Skips[i].Reason == reason {
			b.Skips[i].Count += n
			return
		}
	}
	b.Skips = append(b.Skips, Skip{Reason: reason, Count: n, Where: where})
}

// Mark is how far a batch was filled.
type Mark struct {
	samples, spans, skips int
	points, spanN         int64
}

// Mark returns how far the batch is filled.
func (b *Batch) Mark() Mark {
	return Mark{len(b.Samples), len(b.Spans), len(b.Skips), b.Points, b.SpanN}
}

// Rollback takes out what was added since the mark, so that nothing of a
// document stays that turned out to be broken. Skips that were only counted up
// stay.
func (b *Batch) Rollback(m Mark) {
	b.Samples, b.Spans, b.Skips = b.Samples[:m.samples], b.Spans[:m.spans], b.Skips[:m.skips]
	b.Points, b.SpanN = m.points, m.spanN
}
