package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// orders are the ways to sort operations: what is compared, and whether the
// largest comes first. The worst comes first in all but name.
var orders = []struct {
	name    string
	largest bool
	value   func(*Operation) (float64, bool)
}{
	{"retries", true, func(o *Operation) (float64, bool) { return o.Retries() }},
	{"requests", true, func(o *Operation) (float64, bool) { return deref(o.Requests) }},
	{"attempts", true, func(o *Operation) (float64, bool) { return deref(o.AttemptsPerRequest) }},
	{"first", false, func(o *Operation) (float64, bool) { return deref(o.FirstAttemptSuccess) }},
	{"eventual", false, func(o *Operation) (float64, bool) { return deref(o.EventualSuccess) }},
	{"added", true, func(o *Operation) (float64, bool) {
		if o.AddedLatency == nil {
			return 0, false
		}
		return deref(o.AddedLatency.Mean)
	}},
	{"name", false, func(*Operation) (float64, bool) { return 0, true }},
}

func deref(v *float64) (float64, bool) {
	if v == nil {
		return 0, false
	}
	return *v, true
}

// Orders returns the names that Sort knows.
func Orders() []string {
	var names []string
	for _, o := range orders {
		names = append(names, o.name)
	}
	return names
}

// Sort sorts the operations by one of Orders; what is not known comes last,
// and names decide between equals.
func (s *Summary) Sort(by string) error {
	for _, o := range orders {
		if o.name != by {
			continue
		}
		slices.SortFunc(s.Operations, func(a, b Operation) int {
			x, okx := o.value(&a)
			y, oky := o.value(&b)
			c := 0
			switch {
			case okx && !oky:
				c = -1
			case !okx && oky:
				c = 1
			case o.largest:
				c = cmp.Compare(y, x)
			default:
				c = cmp.Compare(x, y)
			}
			return cmp.Or(c, strings.Compare(a.Dependency, b.Dependency), strings.Compare(a.Operation, b.Operation))
		})
		return nil
	}
	return fmt.Errorf("unknown order %q: use one of %s", by, strings.Join(Orders(), ", "))
}

// Top leaves the first n operations, and counts the others in LeftOut; all stay
// in the total. 0 leaves them all.
func (s *Summary) Top(n int) {
	if n <= 0 || n >= len(s.Operations) {
		return
	}
	s.LeftOut = len(s.Operations) - n
	s.Operations = s.Operations[:n]
	text := "1 more operation is in the total"
	if s.LeftOut > 1 {
		text = fmt.Sprintf("%d more operations are in the total", s.LeftOut)
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%s; --top %d shows the first", text, n))
}

// SortByRetries sorts operations by retries, most first; those whose retries
// are not known come last.
func SortByRetries(ops []Operation) {
	s := Summary{Operations: ops}
	_ = s.Sort("retries") // a known order
}
