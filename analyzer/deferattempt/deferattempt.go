package deferattempt

import (
	_ "embed"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports defer statements that run once per attempt; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "deferattempt",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("deferattempt"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	sites := slices.Clone(result.Sites)
	for _, s := range result.Others {
		if s.Repeats && len(s.Waits) > 0 && len(s.Inspections) > 0 { // a retry that is not told from a worker
			sites = append(sites, s)
		}
	}
	for _, s := range sites {
		for i, d := range s.Defers {
			var whole *analysis.SuggestedFix
			if i == 0 { // it is a fix for the others too
				whole = fix(pass, s)
			}
			report.Site(pass, s, d.Pos(), d.End(), fmt.Sprintf(
				"this defer runs when the function returns, not after the attempt, so that each failed %s leaves its resource open meanwhile; move the attempt into a function of its own",
				s.Op().Name), whole)
		}
	}
	return nil, nil
}
