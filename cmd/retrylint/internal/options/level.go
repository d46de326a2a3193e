package options

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// Levels is the flag -level: check=level, all=level, repeatable, the last one
// for a check wins.
type Levels struct {
	suite Suite
	by    map[string]finding.Level
	given []string
}

// NewLevels returns the flag for the checks of a suite.
func NewLevels(suite Suite) *Levels {
	return &Levels{suite: suite, by: make(map[string]finding.Level)}
}

// Repeats marks the flag as Repeatable.
func (l *Levels) Repeats() {}

func (l *Levels) String() string {
	if l == nil {
		return ""
	}
	return strings.Join(l.given, ",")
}

// Set reads one or more check=level, separated by commas.
func (l *Levels) Set(value string) error {
	for item := range strings.SplitSeq(value, ",") {
		name, levelName, ok := strings.Cut(strings.TrimSpace(item), "=")
		if !ok {
			return fmt.Errorf("want check=level, as in bareretry=error")
		}
		level, err := finding.ParseLevel(levelName)
		if err != nil {
			return err
		}
		checks := l.suite.All()
		if l.suite.UnusedIgnores != nil {
			checks = append(checks, l.suite.UnusedIgnores)
		}
		if name != "all" {
			checks = slices.DeleteFunc(checks, func(a *analysis.Analyzer) bool { return a.Name != name })
		}
		if len(checks) == 0 {
			return l.suite.NoCheck(name, "all")
		}
		for _, a := range checks {
			l.by[a.Name] = level
		}
		l.given = append(l.given, item)
	}
	return nil
}

// ByCheck returns the levels that were set, by check.
func (l *Levels) ByCheck() map[string]finding.Level { return l.by }
