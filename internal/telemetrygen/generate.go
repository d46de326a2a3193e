// Package telemetrygen makes the telemetry of imagined services whose retries
// are known to the last one. The same configuration gives the same bytes, on
// any machine. Tests and benchmarks compare what was read with the truth.
package telemetrygen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
)

// Config says what to generate. The zero value of a field is its default.
type Config struct {
	Seed        uint64
	Requests    int           // over all replicas; 1000
	Operations  int           // 2
	Replicas    int           // processes with a resource of their own; 1
	First       int           // the number of the first of them, so that two files can tell of different ones
	Restarts    int           // of each replica, spread over its life
	Interval    time.Duration // between exports; 10 s
	Rate        float64       // requests a second and replica; 20
	Delta       bool          // temporality; cumulative
	Exponential bool          // histograms; explicit
	Noise       int           // metrics of others per export
	Start       time.Time     // 2026-01-01T00:00:00Z
	Failing     float64       // probability that an attempt fails; 0.2
	Explicit    bool          // every series that can occur is exported as 0 when a process starts
	NoMetrics   bool
	NoSpans     bool
}

func (c Config) withDefaults() Config {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	def(&c.Requests, 1000)
	def(&c.Operations, 2)
	def(&c.Replicas, 1)
	if c.Interval == 0 {
		c.Interval = 10 * time.Second
	}
	if c.Rate == 0 {
		c.Rate = 20
	}
	if c.Failing == 0 {
		c.Failing = 0.2
	}
	if c.Start.IsZero() {
		c.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c
}

// Truth is what was generated for one operation.
type Truth struct {
	Outcomes        map[string]int
	Attempts        int
	Retries         map[string]int // by the class that caused them
	Retried, Saved  map[string]int // by the class of the first failure
	Added, Duration float64        // seconds, summed
	Replays         int
}

// Requests returns the number of requests.
func (t *Truth) Requests() int {
	n := 0
	for _, c := range t.Outcomes {
		n += c
	}
	return n
}

// Key names an operation.
type Key struct{ Dependency, Operation string }

// Attr is one attribute.
type Attr struct {
	Key   string
	Value any // string, bool or int
}

// Export is what one process exports at one time.
type Export struct {
	Replica  int
	Resource []Attr
	Time     time.Time
	Metrics  []Metric
	Spans    []Span
}

// Metric is one metric of an export.
type Metric struct {
	contract.Metric
	Delta  bool
	Points []Point
}

// Point is one data point.
type Point struct {
	Attrs       []Attr
	Start, Time time.Time
	Value       float64
	Hist        *Hist
}

// Hist is the state of a histogram.
type Hist struct {
	Count   uint64
	Sum     float64
	Bounds  []float64
	Buckets []uint64
	Exp     map[int]uint64 // at expScale
	Zero    uint64
}

// Span is one span.
type Span struct {
	Trace      [16]byte
	ID, Parent [8]byte
	Name       string
	Start, End time.Time
	Failed     bool
	Attrs      []Attr
}

// Scope is the instrumentation scope of everything generated.
const Scope = "github.com/retrykit/retrykit/otelretry"

const expScale = 3

var (
	durationBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60}
	attemptBounds  = []float64{1, 2, 3, 4, 5, 8, 13}
	errorClasses   = []string{"503", "429", "timeout", "connection_refused", "weird \"class\"\\\n\u00e9"}
)

type seriesKey struct{ metric, attrs string }

type series struct {
	metric contract.Metric
	attrs  []Attr
	value  float64
	hist   *Hist
	start  time.Time
}

// process is one replica between two restarts.
type process struct {
	config   *Config
	replica  int
	born     time.Time
	resource []Attr
	series   map[seriesKey]*series
	order    []*series // in order of creation
	last     time.Time // of the last export
	spans    []Span
}

// Generate generates, and calls export for each export of each process, those
// of one process in the order of time. It returns the truth per operation.
func Generate(config Config, export func(*Export) error) (map[Key]*Truth, error) {
	c := config.withDefaults()
	truth := map[Key]*Truth{}
	keys := make([]Key, c.Operations)
	for i := range keys {
		keys[i] = Key{fmt.Sprintf("dependency-%d", i/2), fmt.Sprintf("operation-%d", i)}
		truth[keys[i]] = &Truth{Outcomes: map[string]int{}, Retries: map[string]int{}, Retried: map[string]int{}, Saved: map[string]int{}}
	}
	for replica := range c.Replicas {
		rng := rand.New(rand.NewPCG(c.Seed, uint64(replica)))
		n := c.Requests / c.Replicas
		if replica < c.Requests%c.Replicas {
			n++
		}
		p := newProcess(&c, replica, c.Start.Add(time.Duration(replica)*137*time.Millisecond), keys)
		if err := p.exportZeros(export); err != nil {
			return nil, err
		}
		now, next := p.born, p.born.Add(c.Interval)
		lives := 0
		for i := range n {
			now = now.Add(time.Duration(rng.ExpFloat64() / c.Rate * float64(time.Second)))
			for !now.Before(next) {
				if err := p.export(next, export); err != nil {
					return nil, err
				}
				next = next.Add(c.Interval)
			}
			if lives < c.Restarts && i == (lives+1)*n/(c.Restarts+1) {
				if err := p.export(now, export); err != nil {
					return nil, err
				}
				lives++
				now = now.Add(1500 * time.Millisecond)
				p = newProcess(&c, replica, now, keys)
				if err := p.exportZeros(export); err != nil {
					return nil, err
				}
				next = now.Add(c.Interval)
			}
			key := keys[rng.IntN(len(keys))]
			p.request(rng, now, key, truth[key])
		}
		if err := p.export(next, export); err != nil {
			return nil, err
		}
	}
	return truth, nil
}

func newProcess(c *Config, replica int, born time.Time, keys []Key) *process {
	p := &process{config: c, replica: replica, born: born, last: born, series: map[seriesKey]*series{}, resource: []Attr{
		{"service.name", "checkout"},
		{"service.instance.id", fmt.Sprintf("replica-%d", c.First+replica)},
	}}
	for _, key := range keys { // counters start at an explicit 0
		attrs := keyAttrs(key)
		for _, outcome := range []string{contract.FirstAttemptSuccess, contract.RetriedSuccess, contract.AttemptsExhausted} {
			p.add(contract.Requests, 0, append(slices.Clip(attrs), Attr{contract.AttrOutcome, outcome})...)
		}
		p.add(contract.Attempts, 0, attrs...)
		p.add(contract.Replays, 0, attrs...)
		if c.Explicit {
			p.zero(key)
		}
	}
	return p
}

// zero makes every series of an operation that can occur.
func (p *process) zero(key Key) {
	attrs := keyAttrs(key)
	with := func(a ...Attr) []Attr { return append(slices.Clip(attrs), a...) }
	p.histogram(contract.RequestAttempts, attemptBounds, attrs)
	p.histogram(contract.RequestDuration, durationBounds, attrs)
	p.histogram(contract.AddedDuration, durationBounds, attrs)
	for _, outcome := range contract.Outcomes() {
		p.add(contract.Requests, 0, with(Attr{contract.AttrOutcome, outcome})...)
		p.histogram(contract.RequestDuration, durationBounds, with(Attr{contract.AttrErrorType, outcome}))
	}
	p.add(contract.BudgetRejections, 0, Attr{contract.AttrDependency, key.Dependency}, Attr{contract.AttrBudgetName, key.Dependency})
	for _, class := range errorClasses {
		p.add(contract.Attempts, 0, with(Attr{contract.AttrErrorType, class})...)
		p.add(contract.Retries, 0, with(Attr{contract.AttrErrorType, class})...)
		for _, saved := range []bool{true, false} {
			p.add(contract.RetriedRequests, 0, with(Attr{contract.AttrErrorType, class}, Attr{contract.AttrSaved, saved})...)
		}
	}
}

func (p *process) exportZeros(export func(*Export) error) error {
	if !p.config.Explicit {
		return nil
	}
	return p.export(p.born, export)
}

func keyAttrs(key Key) []Attr {
	return []Attr{{contract.AttrDependency, key.Dependency}, {contract.AttrOperation, key.Operation}}
}

func (p *process) get(m contract.Metric, attrs []Attr) *series {
	text := ""
	for _, a := range attrs {
		text += a.Key + "\x00" + fmt.Sprint(a.Value) + "\x00"
	}
	key := seriesKey{m.Name, text}
	s := p.series[key]
	if s == nil {
		s = &series{metric: m, attrs: slices.Clone(attrs), start: p.last}
		if !p.config.Delta {
			s.start = p.born
		}
		p.series[key] = s
		p.order = append(p.order, s)
	}
	return s
}

func (p *process) add(m contract.Metric, n float64, attrs ...Attr) { p.get(m, attrs).value += n }

func (p *process) histogram(m contract.Metric, bounds []float64, attrs []Attr) *Hist {
	s := p.get(m, attrs)
	if s.hist == nil {
		s.hist = &Hist{}
		if p.config.Exponential {
			s.hist.Exp = map[int]uint64{}
		} else {
			s.hist.Bounds, s.hist.Buckets = bounds, make([]uint64, len(bounds)+1)
		}
	}
	return s.hist
}

func (p *process) record(m contract.Metric, v float64, bounds []float64, attrs ...Attr) {
	h := p.histogram(m, bounds, attrs)
	h.Count++
	h.Sum += v
	switch {
	case h.Exp == nil:
		i, _ := slices.BinarySearch(h.Bounds, v)
		h.Buckets[i]++
	case v == 0:
		h.Zero++
	default:
		h.Exp[int(math.Ceil(math.Log2(v)*math.Exp2(expScale)))-1]++
	}
}

// request plays one request and records it as otelretry would.
func (p *process) request(rng *rand.Rand, now time.Time, key Key, truth *Truth) {
	c := p.config
	attrs := keyAttrs(key)
	with := func(a ...Attr) []Attr { return append(slices.Clip(attrs), a...) }
	maxAttempts := 1 + rng.IntN(4)
	start := now
	var trace [16]byte
	var id [8]byte
	for i := range trace {
		trace[i] = byte(rng.Uint32())
	}
	for i := range id {
		id[i] = byte(rng.Uint32())
	}
	outcome, firstClass := "", ""
	var firstEnd time.Time
	attempts, backoff := 0, time.Duration(0)
	var spans []Span
	for outcome == "" {
		attempts++
		var delay time.Duration
		if attempts > 1 {
			delay = time.Duration(rng.IntN(400)) * time.Millisecond
			backoff += delay
			now = now.Add(delay)
		}
		began := now
		now = now.Add(time.Duration(1+rng.IntN(120)) * time.Millisecond)
		class := ""
		if rng.Float64() < c.Failing {
			class = errorClasses[rng.IntN(len(errorClasses))]
		}
		if attempts == 1 {
			firstEnd, firstClass = now, class
		}
		span := Span{Trace: trace, ID: id, Parent: id, Name: key.Operation + " attempt", Start: began, End: now, Failed: class != "",
			Attrs: []Attr{{contract.AttrAttempt, attempts}, {contract.AttrDelay, delay.Seconds()}}}
		span.ID[7] ^= byte(attempts)
		if class == "" {
			p.add(contract.Attempts, 1, attrs...)
		} else {
			span.Attrs = append(span.Attrs, Attr{contract.AttrErrorType, class})
			p.add(contract.Attempts, 1, with(Attr{contract.AttrErrorType, class})...)
		}
		spans = append(spans, span)
		truth.Attempts++
		last := attempts == maxAttempts
		switch u := rng.Float64(); {
		case class == "" && attempts == 1:
			outcome = contract.FirstAttemptSuccess
		case class == "":
			outcome = contract.RetriedSuccess
		case u < 0.1:
			outcome = contract.NotRetryable
		case u < 0.13:
			outcome = contract.DeadlineExceeded
		case u < 0.16:
			outcome = contract.BudgetRejected
			p.add(contract.BudgetRejections, 1, Attr{contract.AttrDependency, key.Dependency}, Attr{contract.AttrBudgetName, key.Dependency})
		case u < 0.18:
			outcome = contract.Canceled
		case last:
			outcome = contract.AttemptsExhausted
		default:
			p.add(contract.Retries, 1, with(Attr{contract.AttrErrorType, class})...)
			truth.Retries[class]++
		}
	}
	saved := outcome == contract.RetriedSuccess
	p.add(contract.Requests, 1, with(Attr{contract.AttrOutcome, outcome})...)
	truth.Outcomes[outcome]++
	p.record(contract.RequestAttempts, float64(attempts), attemptBounds, attrs...)
	duration := now.Sub(start).Seconds()
	failed := outcome != contract.FirstAttemptSuccess && !saved
	if failed {
		p.record(contract.RequestDuration, duration, durationBounds, with(Attr{contract.AttrErrorType, outcome})...)
	} else {
		p.record(contract.RequestDuration, duration, durationBounds, attrs...)
	}
	truth.Duration += duration
	if attempts > 1 {
		p.add(contract.RetriedRequests, 1, with(Attr{contract.AttrErrorType, firstClass}, Attr{contract.AttrSaved, saved})...)
		truth.Retried[firstClass]++
		if saved {
			truth.Saved[firstClass]++
		}
		added := now.Sub(firstEnd).Seconds()
		p.record(contract.AddedDuration, added, durationBounds, attrs...)
		truth.Added += added
		if saved && rng.IntN(4) == 0 {
			p.add(contract.Replays, 1, attrs...)
			truth.Replays++
		}
	}
	if c.NoSpans {
		return
	}
	p.spans = append(p.spans, spans...)
	p.spans = append(p.spans, Span{Trace: trace, ID: id, Name: key.Operation, Start: start, End: now, Failed: failed, Attrs: []Attr{
		{contract.AttrDependency, key.Dependency}, {contract.AttrOperation, key.Operation},
		{contract.AttrMaxAttempts, maxAttempts}, {contract.AttrAttempts, attempts}, {contract.AttrOutcome, outcome},
		{contract.AttrBackoff, backoff.Seconds()}, {contract.AttrCodeFile, "shop/pay.go"}, {contract.AttrCodeLine, 40 + len(key.Operation)},
	}})
}

func (p *process) export(now time.Time, export func(*Export) error) error {
	e := &Export{Replica: p.replica, Resource: p.resource, Time: now, Spans: p.spans}
	p.spans = nil
	if !p.config.NoMetrics {
		e.Metrics = p.collect(now)
	}
	p.last = now
	return export(e)
}

func (p *process) collect(now time.Time) []Metric {
	var metrics []Metric
	index := map[string]int{}
	for _, s := range p.order {
		if p.config.Delta && s.value == 0 && s.hist == nil {
			continue // nothing happened
		}
		i, ok := index[s.metric.Name]
		if !ok {
			i = len(metrics)
			index[s.metric.Name] = i
			metrics = append(metrics, Metric{Metric: s.metric, Delta: p.config.Delta})
		}
		point := Point{Attrs: s.attrs, Start: s.start, Time: now, Value: s.value}
		if s.hist != nil {
			h := *s.hist
			h.Buckets = slices.Clone(h.Buckets)
			if h.Exp != nil {
				h.Exp = make(map[int]uint64, len(s.hist.Exp))
				for k, n := range s.hist.Exp {
					h.Exp[k] = n
				}
			}
			point.Hist = &h
		}
		metrics[i].Points = append(metrics[i].Points, point)
		if p.config.Delta {
			s.start, s.value, s.hist = now, 0, nil
		}
	}
	if p.config.Delta {
		for _, s := range p.order {
			s.start = now
		}
	}
	for i := range p.config.Noise {
		m := Metric{Metric: contract.Metric{Name: "noise." + strconv.Itoa(i), Instrument: contract.Counter, Unit: "1"}, Delta: p.config.Delta}
		for j := range 8 {
			m.Points = append(m.Points, Point{Attrs: []Attr{{"k", strconv.Itoa(j)}, {"route", "/things/" + strconv.Itoa(i*j)}}, Start: p.born, Time: now, Value: float64(i * j)})
		}
		metrics = append(metrics, m)
	}
	return metrics
}
