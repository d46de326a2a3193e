package nodeadline

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

// Analyzer reports retries that nothing bounds in time; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "nodeadline",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("nodeadline"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range sites.Sites {
		why := unlimited(s)
		if why == "" {
			continue
		}
		wayOut := "wrap the context with context.WithTimeout"
		if s.Context.Origin == retrysite.ContextAbsent {
			wayOut = "give it a context by context.WithTimeout, or a timeout of its own"
		}
		report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
			"retries %s with no limit on the time: %s, so one hanging attempt is never given up; %s",
			s.Op().Name, why, wayOut), fix(pass, s))
	}
	return nil, nil
}

// daemon says whether a loop that nobody waits for goes on for as long as its
// owner lives: it tells nobody how it went, and stops when it is told to.
func daemon(s *retrysite.Site) bool {
	r := s.Func.Type().Results
	return s.Kind == retrysite.KindLoop && s.OtherExit && !s.Attempts.Bounded() && (r == nil || len(r.List) == 0)
}

// unlimited says why nothing bounds the time of a site, "" if something may.
func unlimited(s *retrysite.Site) string {
	if s.Time.Limited() || s.Time.PerAttempt && s.Attempts.Bounded() {
		return ""
	}
	if s.Kind != retrysite.KindLoop && s.Attempts.Bounded() && s.Op().ContextArg == nil && !s.Op().Unlimited {
		return "" // the context is that of the waits alone, and the attempts may have a timeout that can't be seen
	}
	if daemon(s) || s.Op().Reach == retrysite.ReachUnknown {
		return ""
	}
	if s.Op().Param != nil && s.Attempts.Bounded() {
		return "" // what is handed in may have a timeout of its own
	}
	switch s.Context.Origin {
	case retrysite.ContextBackground:
		return "its context is context.Background()"
	case retrysite.ContextTODO:
		return "its context is context.TODO()"
	case retrysite.ContextAbsent:
		if s.Op().Unlimited {
			return "it has no context and no timeout"
		}
	}
	return ""
}
