// Package misspelt finds the names that a misspelt one may stand for.
package misspelt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// most is how many names are offered in a misspelt one's place.
const most = 3

// Nearest returns those names, the nearest first, that a text may be a
// misspelling of: a third of its letters may be other ones, and case does not
// count.
func Nearest(text string, names []string) []string {
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
	return out[:min(len(out), most)]
}
