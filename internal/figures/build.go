package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Options choose what is summarised.
type Options struct {
	Since, Until time.Time // zero is open; samples in (Since, Until]
	Keep         func(dependency, operation string) bool
}

const (
	roleAdded = dialect.AddedDuration

	trackRequests = "requests" // by outcome
	trackAttempts = "attempts"
	trackRetries  = "retries" // by class
	trackAdded    = "added"

	trackRetryTotal = "retries of whatever class"

	// Sends of HTTP clients, which request spans of the same name push aside.
	trackSendRequests = "requests of sends"
	trackSendAttempts = "sends"
)

type operationKey struct{ dependency, operation string }

type trackName struct{ what, class string }

type trackKey struct {
	operationKey
	trackName
}

// Builder makes a summary of the batches that it is given. Not safe for
// concurrent use.
type Builder struct {
	options    Options
	window     window
	rules      map[string][]dialect.Rule
	streams    []*streamEntry // by stream ID
	spans      *spans
	tracks     map[trackKey]*track
	spanTracks map[trackKey]*track

	input    summary.Input
	skipped  map[string]int // index into input.Skipped
	overflow int64

	dropped bool                  // the filters leave something out
	leftOut map[operationKey]bool // some of it, for a hint
	outside interval              // of what the window leaves out
}

// maxHints bounds the operations that a hint names.
const maxHints = 12

type streamEntry struct {
	stream
	rules []dialect.Rule // none: nothing is asked of it
}

// NewBuilder returns an empty builder.
func NewBuilder(options Options) *Builder {
	b := &Builder{
		options: options, rules: dialect.RulesByMetric(),
		tracks: map[trackKey]*track{}, spanTracks: map[trackKey]*track{}, skipped: map[string]int{}, leftOut: map[operationKey]bool{},
	}
	b.window = windowOf(options)
	b.spans = newSpans(b.window, func(key operationKey, name trackName) *track {
		return trackIn(b.spanTracks, key, name)
	})
	b.input.Skipped = []summary.Skipped{}
	return b
}

func windowOf(o Options) (w window) {
	if !o.Since.IsZero() {
		w.since = o.Since.UnixNano()
	}
	if !o.Until.IsZero() {
		w.until = o.Until.UnixNano()
	}
	return w
}

func trackIn(tracks map[trackKey]*track, key operationKey, name trackName) *track {
	k := trackKey{key, name}
	t, ok := tracks[k]
	if !ok {
		t = newTrack()
		tracks[k] = t
	}
	return t
}

// AddFile counts one file that was opened.
func (b *Builder) AddFile() { b.input.Files++ }

// Points returns how many points and spans were read so far.
func (b *Builder) Points() (points, spans int64) { return b.input.Points, b.input.Spans }

// Skip counts input that could not be used.
func (b *Builder) Skip(s telemetry.Skip) {
	if i, ok := b.skipped[s.Reason]; ok {
		b.input.Skipped[i].Count += s.Count
		return
	}
	b.skipped[s.Reason] = len(b.input.Skipped)
	b.input.Skipped = append(b.input.Skipped, summary.Skipped{Reason: s.Reason, Count: s.Count, Example: s.Where})
}

// Add takes one batch; it keeps nothing of it.
func (b *Builder) Add(batch *telemetry.Batch) {
	b.input.Bytes += batch.Bytes
	b.input.Points += batch.Points
	b.input.Spans += batch.SpanN
	for _, s := range batch.Skips {
		b.Skip(s)
	}
	for i := range batch.Samples {
		x := &batch.Samples[i]
		if x.Time == 0 && b.window != (window{}) {
			b.Skip(telemetry.Skip{Reason: "sample without a time, where a window of time was asked for", Count: 1, Where: x.Stream.Metric})
			continue
		}
		if reason := implausible(x); reason != "" {
			b.Skip(telemetry.Skip{Reason: reason, Count: 1, Where: x.Stream.Metric})
			continue
		}
		id := x.Stream.ID
		if id >= len(b.streams) {
			b.streams = append(b.streams, make([]*streamEntry, id+1-len(b.streams))...)
		}
		e := b.streams[id]
		if e == nil {
			e = b.open(x.Stream)
			b.streams[id] = e
		}
		if len(e.rules) > 0 {
			e.add(x, batch.Segment)
			b.leaves(x.Time)
		}
	}
	for i := range batch.Spans {
		x := &batch.Spans[i]
		if x.Role == telemetry.Attempt || b.keep(operationKey{x.Dependency, x.Operation}) {
			b.spans.add(x)
			b.leaves(x.End)
		}
	}
}

// mostCounted is more than anything counts or sums up to, and little enough
// that sums of it stay numbers.
const mostCounted = 1e100

// implausible says why a sample can't be one of a counter or a histogram: what
// is counted and measured here is never less than 0.
func implausible(x *telemetry.Sample) string {
	switch kind := x.Stream.Kind; {
	case kind == telemetry.Sum && !(x.Value >= 0 && x.Value <= mostCounted):
		return "counter that is negative or not finite"
	case kind >= telemetry.Histogram && x.HasSum && !(x.Value >= 0 && x.Value <= mostCounted):
		return "histogram whose sum is negative or not finite"
	}
	return ""
}

// keep reports whether the filters let an operation through, and remembers
// some of those that they do not.
func (b *Builder) keep(key operationKey) bool {
	if b.options.Keep == nil || b.options.Keep(key.dependency, key.operation) {
		return true
	}
	b.dropped = true
	if len(b.leftOut) < maxHints && key.operation != "" {
		b.leftOut[key] = true
	}
	return false
}

// leaves notes a time that is outside the window.
func (b *Builder) leaves(at int64) {
	if b.window == (window{}) || b.window.has(at) {
		return
	}
	if b.outside.start == 0 || at < b.outside.start {
		b.outside.start = at
	}
	b.outside.end = max(b.outside.end, at)
}

func (b *Builder) open(id *telemetry.Stream) *streamEntry {
	e := &streamEntry{stream: stream{id: id, window: b.window}}
	if id.Kind == telemetry.Gauge || id.Kind == telemetry.UpDown {
		return e
	}
	if v, ok := id.Attrs.Get(contract.AttrOverflow); ok && v == "true" {
		b.overflow++
	}
	for _, r := range b.rules[id.Metric] {
		key := ruleKey(&r, id)
		if !applies(&r, id) || !b.keep(key) {
			continue
		}
		e.rules = append(e.rules, r)
		if name, ok := plotted(&r, id); ok {
			sums := r.Part == dialect.Total || r.Role == dialect.AddedDuration
			e.follow = append(e.follow, follower{trackIn(b.tracks, key, name), sums, cmp.Or(r.Factor, 1)})
		}
	}
	return e
}

// plotted is the track that a rule's numbers go to; false when they are not
// plotted over time.
func plotted(r *dialect.Rule, id *telemetry.Stream) (trackName, bool) {
	switch r.Role {
	case dialect.Requests:
		return trackName{trackRequests, outcomeOf(r, id)}, true
	case dialect.Attempts:
		return trackName{trackAttempts, ""}, true
	case dialect.Retries:
		return trackName{trackRetries, classOf(r, id)}, true
	case dialect.RetryTotal:
		return trackName{trackRetryTotal, ""}, true
	case dialect.AddedDuration:
		return trackName{trackAdded, ""}, true
	}
	return trackName{}, false
}

func applies(r *dialect.Rule, id *telemetry.Stream) bool {
	for key, want := range r.Only {
		got, _ := id.Attrs.Get(key)
		if got != want && (want != "*" || got == "") {
			return false
		}
	}
	return true
}

// attr returns the first of the attributes that the stream or its resource has.
func attr(keys []string, id *telemetry.Stream) (string, bool) {
	for _, key := range keys {
		if v, ok := id.Attrs.Get(key); ok {
			return v, true
		}
	}
	for _, key := range keys {
		if v, ok := id.Resource.Get(key); ok {
			return v, true
		}
	}
	return "", false
}

func ruleKey(r *dialect.Rule, id *telemetry.Stream) operationKey {
	if v, ok := id.Attrs.Get(contract.AttrOverflow); ok && v == "true" {
		return otherOperation
	}
	dependency, _ := attr(r.Dependency, id)
	operation, _ := attr(r.Operation, id)
	return operationKey{dependency, operation}
}

func classOf(r *dialect.Rule, id *telemetry.Stream) string {
	if r.Fixed != "" {
		return r.Fixed
	}
	if class, ok := attr(r.Class, id); ok && class != "" {
		return class
	}
	return UnknownClass
}

func outcomeOf(r *dialect.Rule, id *telemetry.Stream) string {
	if r.Fixed != "" {
		return r.Fixed
	}
	v, _ := id.Attrs.Get(r.Outcome)
	if o, ok := r.Outcomes[v]; ok {
		return o
	}
	if o, ok := r.Outcomes[""]; ok {
		return o
	}
	return v
}

func (a *account) refuse(role dialect.Role) {
	if a.refused == nil {
		a.refused = map[dialect.Role]bool{}
	}
	a.refused[role] = true
}

// count adds a stream's increase to an account as its rule says.
func (a *account) count(r *dialect.Rule, id *telemetry.Stream, d distribution) {
	factor := cmp.Or(r.Factor, 1)
	n := d.count * factor
	switch {
	case r.Part == dialect.Total && !d.hasSum && d.count > 0:
		a.refuse(r.Role) // what was counted without it is not all
		return
	case r.Part == dialect.Total:
		n = d.sum * factor
	case factor != 1 && r.Part == dialect.All && id.Kind >= telemetry.Histogram:
		d.scaleBy(factor)
	}
	switch r.Role {
	case dialect.RetryTotal:
		a.retryTotal += n
		a.hasRetryTotal = true
	case dialect.Requests:
		a.partial = a.partial || r.Partial
		if r.Outcome == "" && r.Fixed == "" {
			a.requestCount += n
			a.hasRequestCount = true
			return
		}
		outcome := outcomeOf(r, id)
		if outcome == "" { // an overflow point: which outcome is lost
			a.requestCount += n
			a.hasRequestCount = true
			return
		}
		addTo(&a.outcomes, outcome, n)
	case dialect.Attempts:
		a.attempts += n
		a.hasAttempts = true
	case dialect.Retries:
		addTo(&a.retries, classOf(r, id), n)
	case dialect.Retried:
		class := classOf(r, id)
		addTo(&a.retried, class, n)
		if saved, _ := id.Attrs.Get(r.Saved); saved == r.SavedValue {
			addTo(&a.saved, class, n)
		}
	case dialect.RequestAttempts:
		a.requestAttempts.add(&d)
	case dialect.RequestDuration:
		a.duration.add(&d)
	case dialect.AddedDuration:
		a.added.add(&d)
	case dialect.BudgetRejections:
		a.rejections += n
		a.hasRejections = true
	case dialect.Replays:
		a.replays += n
		a.hasReplays = true
	}
}

// scaleBy converts a distribution of another unit to seconds.
func (d *distribution) scaleBy(factor float64) {
	d.sum *= factor
	d.min, d.max = d.min*factor, d.max*factor
	d.bounds = slices.Clone(d.bounds)
	for i := range d.bounds {
		d.bounds[i] *= factor
	}
	if d.exp != nil {
		d.noBuckets = true // a factor that is no power of the base does not keep the buckets
	}
}

// Summary computes the figures of everything added, and ends the builder: who
// wants to add more calls it on a Clone.
func (b *Builder) Summary() *summary.Summary {
	out := &summary.Summary{SchemaVersion: contract.SchemaVersion}
	b.spans.end()
	metrics := map[operationKey]*account{}
	first, last := int64(0), int64(0)
	refusals := map[string]int{}
	reporting := b.reporting()
	b.refuseForms()
	for _, e := range b.streams {
		if e == nil || len(e.rules) == 0 {
			continue
		}
		if b.window.since != 0 {
			e.reporting = func(start int64) bool { return reporting[processKey{e.id.Resource.String(), start}] }
		}
		d, ok := e.increase()
		if !ok && e.refused == "" && e.lastTime == 0 && b.window != (window{}) {
			continue // nothing of it is in the window
		}
		for i := range e.rules {
			r := &e.rules[i]
			key := ruleKey(r, e.id)
			a := metrics[key]
			if a == nil {
				a = &account{}
				metrics[key] = a
			}
			switch {
			case ok:
				c := d
				c.buckets, c.bounds = slices.Clone(d.buckets), d.bounds
				a.count(r, e.id, c)
			case e.refused != "":
				a.refuse(r.Role)
				text := fmt.Sprintf("%s of %s: %s", e.id.Metric, key, e.refused)
				if e.refused != reasonForms {
					text += "; give each process a service.instance.id of its own"
				}
				refusals[text]++
			}
		}
		if ok && e.lastTime > 0 {
			if first == 0 || e.firstTime < first {
				first = e.firstTime
			}
			last = max(last, e.lastTime)
		}
	}
	if b.spans.requests > 0 {
		if first == 0 || b.spans.first < first {
			first = b.spans.first
		}
		last = max(last, b.spans.last)
	}
	if first > 0 && b.window.since > first {
		first = b.window.since
	}
	if last > 0 {
		out.Window.Start, out.Window.End = ptr(time.Unix(0, first).UTC()), ptr(time.Unix(0, last).UTC())
	}
	for text, n := range refusals {
		if n > 1 {
			text += fmt.Sprintf(" (%d streams)", n)
		}
		out.Notes = append(out.Notes, "refused: "+text)
		out.Refused = true
	}
	slices.Sort(out.Notes)
	b.combine(out, metrics)
	if n := b.spans.repeats.found; n > 0 {
		b.Skip(telemetry.Skip{Reason: "span that was read before", Count: n, Where: b.spans.repeats.first})
	}
	b.notes(out)
	out.Input = b.input
	return out
}

// processKey is one life of one process.
type processKey struct {
	resource string
	start    int64
}

// reporting returns the processes that any stream shows to have reported
// before the window.
func (b *Builder) reporting() map[processKey]bool {
	out := map[processKey]bool{}
	if b.window.since == 0 {
		return out
	}
	for _, e := range b.streams {
		if e == nil {
			continue
		}
		for _, inc := range e.incarnations {
			if inc.base != nil {
				out[processKey{e.id.Resource.String(), inc.start}] = true
			}
		}
	}
	return out
}

func (k operationKey) String() string {
	switch {
	case k.operation == "":
		return cmp.Or(k.dependency, "(no dependency)")
	case k.dependency == "":
		return k.operation
	}
	return k.dependency + "/" + k.operation
}

func (k operationKey) compare(o operationKey) int {
	return cmp.Or(strings.Compare(k.dependency, o.dependency), strings.Compare(k.operation, o.operation))
}

// combine lays metrics and spans side by side: where both count requests, the
// metrics decide, and a disagreement is noted.
func (b *Builder) combine(out *summary.Summary, metrics map[operationKey]*account) {
	keys := map[operationKey]bool{}
	for key := range metrics {
		keys[key] = true
	}
	for key := range b.spans.accounts {
		keys[key] = true
	}
	budgets := map[string]bool{} // dependencies whose rejections were counted
	var all []*account
	fromSpans := map[operationKey]bool{}
	sorted := make([]operationKey, 0, len(keys))
	for key := range keys {
		sorted = append(sorted, key)
	}
	slices.SortFunc(sorted, operationKey.compare)
	for _, key := range sorted {
		m, s := metrics[key], b.spans.accounts[key]
		if m != nil {
			m.settle()
		}
		if s != nil {
			s.settle()
		}
		a := m
		if m != nil && s != nil {
			if _, ok := m.requests(); ok || m.refused[dialect.Requests] {
				b.disagreement(out, key, m, s)
			} else {
				a = s
				fromSpans[key] = true
			}
		} else if m == nil {
			a = s
			fromSpans[key] = true
		}
		all = append(all, a)
		if key.operation == "" && m != nil && m.hasRejections {
			if _, ok := m.requests(); !ok {
				budgets[key.dependency] = true
				continue // no operation: only the total shows it
			}
		}
		op := summary.Operation{Dependency: key.dependency, Operation: key.operation, Figures: a.figures()}
		if sites := b.spans.sites[key]; len(sites) == 1 {
			for site := range sites {
				op.CallSite = &site
			}
		}
		out.Operations = append(out.Operations, op)
	}
	if out.Operations == nil {
		out.Operations = []summary.Operation{}
	}
	summary.SortByRetries(out.Operations)
	sum := total(all)
	out.Total = sum.figures()
	b.timeline(out, fromSpans)
}

// disagreement notes where spans and metrics of an operation tell different
// stories: other counts, or first-attempt successes further apart than chance
// makes them.
func (b *Builder) disagreement(out *summary.Summary, key operationKey, m, s *account) {
	mn, ok1 := m.requests()
	sn, ok2 := s.requests()
	if !ok1 || !ok2 || mn == 0 || sn == 0 {
		return
	}
	if mn != sn {
		out.Notes = append(out.Notes, fmt.Sprintf(
			"%s: metrics count %.0f requests and spans %.0f (%.1f %%); the metrics decide", key, mn, sn, 100*sn/mn))
	}
	mf, sf := m.figures(), s.figures()
	if mf.FirstAttemptSuccess == nil || sf.FirstAttemptSuccess == nil {
		return
	}
	p, q := *mf.FirstAttemptSuccess, *sf.FirstAttemptSuccess
	if spread := math.Sqrt(p*(1-p)/sn) * 2.58; math.Abs(p-q) > spread && math.Abs(p-q) > 0.001 {
		out.Notes = append(out.Notes, fmt.Sprintf(
			"%s: first-attempt success is %.2f %% by metrics and %.2f %% by spans, more than sampling by chance explains; the metrics decide",
			key, 100*p, 100*q))
	}
}

func (b *Builder) notes(out *summary.Summary) {
	if len(out.Operations) == 0 && !out.Refused && b.input.Points+b.input.Spans > 0 {
		b.explain(out)
		if !out.Unmatched { // else it is an error, and said as one
			out.Notes = append(out.Notes, out.Nothing)
		}
	}
	if b.overflow > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf(
			"%d streams came under otel.metric.overflow: a limit on cardinality was hit, and what they count is shown as _OTHER", b.overflow))
	}
	full := 0
	for _, e := range b.streams {
		if e != nil && e.coveredFull && e.refused == "" {
			full++
		}
	}
	if full > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf(
			"%d streams of deltas have more than %d gaps in time: whether some of them were read twice is not known", full, maxIntervals))
	}
	if n := b.spans.others; n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d spans are of more than %d operations, and counted as %s; is there an id in their names?", n, maxOperations, contract.Other))
	}
	if n := b.spans.repeats.missed; n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("about %d spans were read more than once, and count as often: is a file a copy of another one?", n))
	}
	for _, key := range b.spans.shadowed {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: there are spans of requests and of an HTTP client under this name; those of requests decide", key))
	}
	if n := b.spans.incomplete; n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d requests were read without some of their attempt spans: those retries are of class %q", n, UnknownClass))
	}
	if n := b.spans.orphans; n > 0 && b.options.Keep == nil { // with filters, the requests may be those left out
		out.Notes = append(out.Notes, fmt.Sprintf("%d attempt spans were read without their request", n))
	}
}

// explain says why there are no operations.
func (b *Builder) explain(out *summary.Summary) {
	switch {
	case b.outside.end != 0:
		at := func(t int64) string { return time.Unix(0, t).UTC().Format(time.RFC3339) }
		within := "between --since and --until"
		switch {
		case b.options.Until.IsZero():
			within = "after --since"
		case b.options.Since.IsZero():
			within = "before --until"
		}
		out.Nothing = fmt.Sprintf("nothing was measured %s: what was read is from %s to %s", within, at(b.outside.start), at(b.outside.end))
	case b.dropped:
		var names []string
		for key := range b.leftOut {
			names = append(names, key.String())
		}
		slices.Sort(names)
		if len(b.leftOut) == maxHints {
			names = append(names, "...")
		}
		out.Unmatched, out.Nothing = true, "nothing matches --dependency and --operation"
		if len(names) > 0 {
			out.Nothing += ": what was read is about " + strings.Join(names, ", ")
		}
	default:
		out.Nothing = "nothing of what was read is about retries"
		if len(b.input.Skipped) > 0 {
			out.Nothing = "nothing of what could be used is about retries"
		}
	}
}
