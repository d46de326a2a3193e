package retrysite

import (
	"regexp"
	"sync"
)

// Matcher returns a function that says whether a name matches a regular
// expression, which is compiled when it is first needed: go vet starts a
// process for each package, and most of them match nothing.
func Matcher(expression string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	return func(s string) bool { return compiled().MatchString(s) }
}
