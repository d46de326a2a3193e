package figures

import "github.com/retrykit/retrykit/internal/telemetry"

// reasonForms is why streams of one counter are refused that come in two forms.
const reasonForms = "it is exported in two forms at once, as deltas and cumulative or with buckets of two kinds, " +
	"and would count twice; leave one of the exports out"

// form is what else than its identity tells streams of one counter apart.
type form struct {
	kind        telemetry.Kind
	temporality telemetry.Temporality
}

// refuseForms refuses counters that a process exports in two forms at once, as
// with two readers that write to one file. One that changed its form goes on in
// the other one, and counts.
func (b *Builder) refuseForms() {
	first, mixed := map[string]form{}, map[string]bool{} // by metric: there is mostly one form
	for _, e := range b.streams {
		if e == nil || len(e.rules) == 0 {
			continue
		}
		f := form{e.id.Kind, e.id.Temporality}
		if g, ok := first[e.id.Metric]; ok && f != g {
			mixed[e.id.Metric] = true
		} else {
			first[e.id.Metric] = f
		}
	}
	if len(mixed) == 0 {
		return
	}
	type counter struct{ resource, scope, metric, attrs string }
	same := map[counter][]*streamEntry{}
	for _, e := range b.streams {
		if e == nil || !mixed[e.id.Metric] {
			continue
		}
		c := counter{e.id.Resource.String(), e.id.Scope, e.id.Metric, e.id.Attrs.String()}
		for _, other := range same[c] {
			if e.at().overlaps(other.at()) {
				e.refused, other.refused = reasonForms, reasonForms
			}
		}
		same[c] = append(same[c], e)
	}
}

// at is the time in which a stream counted something of the window.
func (s *stream) at() interval {
	in := interval{s.firstTime, s.lastTime}
	for _, inc := range s.incarnations {
		if inc.start > 0 && len(inc.runs) > 0 {
			in.start = min(in.start, inc.start)
		}
	}
	in.start = max(in.start, s.window.since)
	return in
}

func (i interval) overlaps(o interval) bool { return i.start < o.end && o.start < i.end }
