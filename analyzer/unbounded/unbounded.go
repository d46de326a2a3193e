package unbounded

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that nothing ends; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "unbounded",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("unbounded"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		switch {
		case s.Undone.IsValid() && !elapsed(s):
			report.Site(pass, s, s.Undone, s.Undone, fmt.Sprintf(
				"takes the counter of attempts back, so that failures of %s which come this way are retried for ever; count them too, or bound them by time", s.Op().Name), nil)
		case endless(s):
			report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
				"retries %s for as long as it fails, with no limit on attempts, no deadline and no look at a context, so that a caller waits for ever on a server that is down; bound the attempts and the time", s.Op().Name), nil)
		}
	}
	return nil, nil
}

func endless(s *retrysite.Site) bool {
	if s.Attempts.Bounded() || elapsed(s) || len(s.CancelChecks) > 0 {
		return false
	}
	if s.Kind != retrysite.KindLoop && s.Kind != retrysite.KindRecursion {
		// The libraries' own knowledge has to be positive.
		return s.Attempts.Kind == retrysite.BoundNone && !s.Time.Limited() && s.Kind == retrysite.KindLibrary && !daemon(s)
	}
	if s.OtherExit || daemon(s) || s.Untold {
		return false
	}
	return !s.Context.Bounded
}

// elapsed says whether the time is limited by something other than what the
// caller's context may say.
func elapsed(s *retrysite.Site) bool {
	return s.Time.How == retrysite.TimeElapsed || s.Time.How == retrysite.TimeContext || s.Time.How == retrysite.TimeLibrary
}

// daemon says whether the function tells nobody how it went: it is meant to
// live as long as its owner.
func daemon(s *retrysite.Site) bool {
	r := s.Func.Type().Results
	return r == nil || len(r.List) == 0
}
