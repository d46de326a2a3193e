package telemetry

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/retrykit/retrykit/internal/contract"
)

// DefaultMaxStreams bounds the streams of one Registry.
const DefaultMaxStreams = 1 << 20

// maxIdentities bounds the bytes that identify a registry's streams: a KiB for
// each of the default.
const maxIdentities = 1 << 30

// ErrTooManyStreams is returned for a new stream past the registry's bound.
var ErrTooManyStreams = errors.New("more metric streams than can be kept")

// Registry interns stream identities. Safe for concurrent use; readers keep a
// cache of their own in front of it, so that it is asked once per new stream.
type Registry struct {
	catalog *Catalog
	limit   int

	mu      sync.Mutex
	streams map[string]*Stream
	size    int // of what identifies the streams
	strings map[string]string
	values  map[string]string
	facts   map[Facts]*Facts
}

// NewRegistry returns a registry for the metrics of the catalog that keeps at
// most limit streams (DefaultMaxStreams when 0).
func NewRegistry(catalog *Catalog, limit int) *Registry {
	if limit <= 0 {
		limit = DefaultMaxStreams
	}
	return &Registry{catalog: catalog, limit: limit, streams: map[string]*Stream{}, strings: map[string]string{}, values: map[string]string{}, facts: map[Facts]*Facts{}}
}

// Catalog returns the catalog that the registry was made with.
func (r *Registry) Catalog() *Catalog { return r.catalog }

// Stream returns the stream of an identity.
func (r *Registry) Stream(id Identity) (*Stream, error) {
	var b strings.Builder
	id.Resource.key(&b)
	b.WriteByte(2)
	b.WriteString(id.Scope)
	b.WriteByte(2)
	b.WriteString(id.Metric)
	b.WriteByte(2)
	b.WriteString(strconv.Itoa(int(id.Kind)))
	b.WriteByte(byte('0' + id.Temporality))
	id.Attrs.key(&b)
	key := b.String()

	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.streams[key]; ok {
		return s, nil
	}
	if len(r.streams) >= r.limit || r.size+len(key) > maxIdentities {
		return nil, ErrTooManyStreams
	}
	r.size += len(key)
	s := &Stream{ID: len(r.streams), Identity: id}
	r.streams[key] = s
	return s, nil
}

// maxInterned bounds the text kept by Intern; past it, and when it is longer
// than maxValue, text is copied.
const maxInterned = 1 << 17

// Intern returns text as a string that is shared with equal ones.
func (r *Registry) Intern(text []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.strings[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(r.strings) < maxInterned && len(s) <= maxValue {
		r.strings[s] = s
	}
	return s
}

// Bounds of the text that is kept of spans, whose attributes nothing bounds: how
// many different values, and how long one may be.
const (
	maxValues = 1 << 16
	maxValue  = 1 << 10
)

// value returns text as a string that is shared with equal ones; contract.Other when it
// is longer than maxValue, or maxValues others are kept.
func (r *Registry) value(text []byte) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.values[string(text)]; ok {
		return s
	}
	if len(text) > maxValue || len(r.values) >= maxValues {
		return contract.Other
	}
	s := string(text)
	r.values[s] = s
	return s
}

// maxFacts bounds the facts that a registry shares, at some 250 bytes each.
const maxFacts = 1 << 15

// share returns facts that are the same pointer for equal ones, up to a bound.
func (r *Registry) share(f Facts) *Facts {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Number = 0
	if shared, ok := r.facts[f]; ok {
		return shared
	}
	own := f
	if len(r.facts) < maxFacts {
		own.Number = len(r.facts) + 1
		r.facts[f] = &own
	}
	return &own
}

// Interner is a cache in front of a registry's strings. One per goroutine.
type Interner struct {
	lookUp  func([]byte) string
	strings map[string]string
	recent  [256]string // those that were asked for last, by place
}

// NewInterner returns an empty cache of any text.
func NewInterner(registry *Registry) *Interner { return newInterner(registry.Intern) }

// NewValueInterner returns an empty cache of text that is kept of spans.
func NewValueInterner(registry *Registry) *Interner { return newInterner(registry.value) }

func newInterner(lookUp func([]byte) string) *Interner {
	return &Interner{lookUp: lookUp, strings: map[string]string{}}
}

// Intern returns text as a string that is shared with equal ones, or contract.Other.
func (n *Interner) Intern(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	recent := &n.recent[place(text)]
	if *recent == string(text) {
		return *recent
	}
	if s, ok := n.strings[string(text)]; ok {
		*recent = s
		return s
	}
	s := n.lookUp(text)
	if s != string(text) || len(s) > maxValue {
		return s
	}
	if len(n.strings) >= maxInterned {
		clear(n.strings)
	}
	n.strings[s], *recent = s, s
	return s
}

// place is a number that mostly differs between the values that come in turn:
// most of them differ in length, or at their ends.
func place(text []byte) uint8 {
	return uint8(len(text))*3 + text[0]*5 + text[len(text)/2]*11 + text[len(text)-1]*7
}
