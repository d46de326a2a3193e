package threshold

import (
	"slices"
	"strings"

	"github.com/retrykit/retrykit/internal/misspelt"
)

// mostListed is how many names are listed when none is near.
const mostListed = 12

// offer says which names may have been meant.
func offer(text string, names []string) string {
	if close := misspelt.Nearest(text, names); len(close) > 0 {
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
