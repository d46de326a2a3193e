// Package compare says what changed between two summaries, and whether chance
// explains it.
package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/summary"
)

// Alpha is the p below which a change is called significant.
const Alpha = 0.05

// Share is a share of requests before and after.
type Share struct {
	Before, After *float64 // nil: not known
	N             [2]float64
	// Interval is the 95 % interval of After - Before, and P the two-sided p of
	// no change; nil when either side is not known.
	Interval *[2]float64
	P        *float64
}

// Significant reports whether chance does not explain the change.
func (s *Share) Significant() bool { return s.P != nil && *s.P < Alpha }

// Change is how one operation changed. An operation that only one side has
// says so.
type Change struct {
	Dependency, Operation string
	Missing               string // "before", "after" or ""
	Requests              [2]*float64
	First, Eventual       Share
	Retried               Share       // requests that took more than one attempt
	Attempts              [2]*float64 // per request
	Added                 [2]*float64 // seconds per request
}

// Summaries compares operation by operation, the largest change of
// first-attempt success first.
func Summaries(before, after *summary.Summary) (changes []Change, total Change) {
	type key struct{ dependency, operation string }
	index := map[key]int{}
	for i := range before.Operations {
		o := &before.Operations[i]
		index[key{o.Dependency, o.Operation}] = len(changes)
		c := change(&o.Figures, &summary.Figures{})
		c.Dependency, c.Operation, c.Missing = o.Dependency, o.Operation, "after"
		changes = append(changes, c)
	}
	beforeBy := map[key]*summary.Figures{}
	for i := range before.Operations {
		o := &before.Operations[i]
		beforeBy[key{o.Dependency, o.Operation}] = &o.Figures
	}
	for i := range after.Operations {
		o := &after.Operations[i]
		k := key{o.Dependency, o.Operation}
		was, ok := beforeBy[k]
		if !ok {
			c := change(&summary.Figures{}, &o.Figures)
			c.Dependency, c.Operation, c.Missing = o.Dependency, o.Operation, "before"
			changes = append(changes, c)
			continue
		}
		c := change(was, &o.Figures)
		c.Dependency, c.Operation = o.Dependency, o.Operation
		changes[index[k]] = c
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(a.Dependency, b.Dependency), cmp.Compare(a.Operation, b.Operation))
	})
	total = change(&before.Total, &after.Total)
	total.Dependency = "total"
	return changes, total
}

// weight orders changes: significant ones first, by how far they went.
func weight(c *Change) float64 {
	if c.First.Before == nil || c.First.After == nil {
		return -1
	}
	w := math.Abs(*c.First.After - *c.First.Before)
	if c.First.Significant() {
		w++
	}
	return w
}

func change(before, after *summary.Figures) Change {
	c := Change{
		Requests: [2]*float64{before.Requests, after.Requests},
		Attempts: [2]*float64{before.AttemptsPerRequest, after.AttemptsPerRequest},
		Added:    [2]*float64{added(before), added(after)},
		First:    share(before.FirstAttemptSuccess, eligible(before), after.FirstAttemptSuccess, eligible(after)),
		Eventual: share(before.EventualSuccess, eligible(before), after.EventualSuccess, eligible(after)),
		Retried:  share(retried(before), deref(before.Requests), retried(after), deref(after.Requests)),
	}
	return c
}

func added(f *summary.Figures) *float64 {
	if f.AddedLatency == nil {
		return nil
	}
	return f.AddedLatency.Mean
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// eligible is the denominator of success: requests that were not canceled.
func eligible(f *summary.Figures) float64 {
	return deref(f.Requests) - f.Outcomes[contract.Canceled]
}

func retried(f *summary.Figures) *float64 {
	if f.Retried == nil || deref(f.Requests) == 0 {
		return nil
	}
	var n float64
	for _, v := range f.Retried {
		n += v
	}
	n /= *f.Requests
	return &n
}

// share compares two shares: the interval is Newcombe's of the difference
// (R. G. Newcombe, 1998, method 10, from Wilson's intervals), p that of the
// two-sided z test with the pooled share.
func share(p1 *float64, n1 float64, p2 *float64, n2 float64) Share {
	s := Share{Before: p1, After: p2, N: [2]float64{n1, n2}}
	if p1 == nil || p2 == nil || n1 <= 0 || n2 <= 0 {
		return s
	}
	l1, u1 := figures.Wilson(*p1*n1, n1)
	l2, u2 := figures.Wilson(*p2*n2, n2)
	d := *p2 - *p1
	lo := d - math.Hypot(*p2-l2, u1-*p1)
	hi := d + math.Hypot(u2-*p2, *p1-l1)
	s.Interval = &[2]float64{lo, hi}
	pooled := (*p1*n1 + *p2*n2) / (n1 + n2)
	se := math.Sqrt(pooled * (1 - pooled) * (1/n1 + 1/n2))
	p := 1.0
	if se > 0 {
		p = math.Erfc(math.Abs(d) / se / math.Sqrt2)
	}
	s.P = &p
	return s
}
