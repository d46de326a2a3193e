package threshold

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

const (
	mostNear   = 3  // names that are offered in a misspelt one's place
	mostListed = 12 // names that are listed when none is near
)

// nearest returns those names, the nearest first, that a text may be a
// misspelling of: a third of its letters may be other ones.
func nearest(text string, names []string) []string {
	distance := map[string]int{}
	for _, name := range names {
		d := levenshtein.ComputeDistance(strings.ToLower(text), strings.ToLower(name))
		if d <= max(1, len(text)/3) {
			distance[name] = d
		}
	}
	var out []string
	for name := range distance {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(distance[a]-distance[b], strings.Compare(a, b)) })
	return out[:min(len(out), mostNear)]
}

// offer says which names may have been meant.
func offer(text string, names []string) string {
	if close := nearest(text, names); len(close) > 0 {
		return "did you mean " + strings.Join(close, " or ") + "?"
	}
	return "what was read is about " + list(names)
}

// list names some of the names, each once.
func list(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > mostListed {
		names = append(names[:mostListed], "...")
	}
	return strings.Join(names, ", ")
}
