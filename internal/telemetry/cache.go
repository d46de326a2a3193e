package telemetry

import (
	"github.com/retrykit/retrykit/internal/contract"
)

// Bounds of one reader's caches; a full cache starts over.
const (
	maxCachedResources = 1 << 12
	maxCachedStreams   = 1 << 16
	maxCachedKey       = 1 << 14
)

// Cache remembers which stream the raw bytes of a resource and of a point's
// attributes belong to, so that a reader decodes each combination once. One
// per goroutine.
type Cache struct {
	registry  *Registry
	resources map[string]*ResourceCache
}

// ResourceCache is the part of a Cache that belongs to one resource.
type ResourceCache struct {
	registry *Registry
	attrs    Attrs
	metrics  map[metricKey]*MetricCache
}

type metricKey struct {
	scope, name string
	kind        Kind
	temporality Temporality
}

// MetricCache is the part that belongs to one metric of a resource.
type MetricCache struct {
	registry *Registry
	id       Identity
	streams  map[string]*cachedStream
	last     *cachedStream // that was asked for
}

// cachedStream is a stream under the raw bytes of its points' attributes.
type cachedStream struct {
	raw    string
	stream *Stream
	next   *cachedStream // that was asked for after this one, the last time
}

// NewCache returns an empty cache in front of a registry.
func NewCache(registry *Registry) *Cache {
	return &Cache{registry: registry, resources: map[string]*ResourceCache{}}
}

// Resource returns what is known under a resource's raw bytes, or nil.
func (c *Cache) Resource(raw []byte) *ResourceCache { return c.resources[string(raw)] }

// AddResource notes the attributes that a resource's raw bytes stand for.
func (c *Cache) AddResource(raw []byte, attrs []Attr) *ResourceCache {
	r := &ResourceCache{registry: c.registry, attrs: NewAttrs(attrs), metrics: map[metricKey]*MetricCache{}}
	if len(raw) <= maxCachedKey {
		if len(c.resources) >= maxCachedResources {
			clear(c.resources)
		}
		c.resources[string(raw)] = r
	}
	return r
}

// Metric returns the cache of one metric; scope is the scope's name.
func (r *ResourceCache) Metric(scope string, m contract.Metric, kind Kind, temporality Temporality) *MetricCache {
	key := metricKey{scope, m.Name, kind, temporality}
	mc, ok := r.metrics[key]
	if !ok {
		mc = &MetricCache{registry: r.registry, streams: map[string]*cachedStream{}, id: Identity{
			Resource: r.attrs, Scope: scope, Metric: m.Name, Kind: kind, Temporality: temporality,
		}}
		r.metrics[key] = mc
	}
	return mc
}

// Stream returns the stream under a point's raw attributes, or nil. Exports have
// the points of a metric in one order mostly, so that a comparison finds it.
func (m *MetricCache) Stream(raw []byte) *Stream {
	if m.last != nil {
		if c := m.last.next; c != nil && c.raw == string(raw) {
			m.last = c
			return c.stream
		}
	}
	c, ok := m.streams[string(raw)]
	if !ok {
		return nil
	}
	m.follow(c)
	return c.stream
}

func (m *MetricCache) follow(c *cachedStream) {
	if m.last != nil {
		m.last.next = c
	}
	m.last = c
}

// AddStream notes the attributes that a point's raw bytes stand for.
func (m *MetricCache) AddStream(raw []byte, attrs []Attr) (*Stream, error) {
	id := m.id
	for i := range attrs {
		attrs[i].Key = m.registry.catalog.Attr(attrs[i].Key)
	}
	id.Attrs = NewAttrs(attrs)
	s, err := m.registry.Stream(id)
	if err != nil {
		return nil, err
	}
	if len(raw) <= maxCachedKey {
		if len(m.streams) >= maxCachedStreams {
			clear(m.streams)
			m.last = nil
		}
		c := &cachedStream{raw: string(raw), stream: s}
		m.streams[c.raw] = c
		m.follow(c)
	}
	return s, nil
}

// KindOf returns what the samples of a metric are, given how they came: a
// counter stays one when a translation on the way made it untyped or forgot
// that it is monotonic.
func KindOf(m contract.Metric, came Kind) Kind {
	if came == UpDown || came == Gauge {
		switch m.Instrument {
		case contract.Counter:
			return Sum
		case contract.UpDownCounter:
			return UpDown
		}
	}
	return came
}

// Reasons for which readers of several formats leave something out.
const (
	ReasonTruncated     = "truncated"
	ReasonNoValue       = "point without a value"
	ReasonNoRecorded    = "point marked as having no recorded value"
	ReasonTemporality   = "metric without an aggregation temporality"
	ReasonBuckets       = "histogram whose buckets contradict its bounds or its count"
	ReasonTooManyStream = "metric stream past the limit on streams"
	ReasonID            = "span with an unreadable id"
	ReasonTimes         = "span with unreadable times"
	ReasonNumber        = "point with an unreadable number"
)
