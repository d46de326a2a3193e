package nestedretry

import (
	_ "embed"
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries inside of what is retried; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "nestedretry",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("nestedretry"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	said := make(map[token.Pos]bool) // a loop around a loop is one fault, at one place
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		n, call := s.Nested, s.Op().Call
		if n == nil || said[call.Pos()] {
			continue
		}
		said[call.Pos()] = true
		var related []analysis.RelatedInformation
		if n.Inner != nil {
			related = []analysis.RelatedInformation{{Pos: n.Inner.Pos(), End: n.Inner.Op().Call.End(), Message: "the retry inside"}}
		}
		pass.Report(analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(), Category: pass.Analyzer.Name, URL: report.URL(pass.Analyzer.Name),
			Message: fmt.Sprintf("what is retried here retries by itself, so that attempts multiply: %s: %s; retry in one of the two places",
				product(s.Attempts, n.Attempts), strings.Join(n.Chain, " -> ")),
			Related: related,
		})
	}
	return nil, nil
}

// product is the number of attempts in all: "3 x 4 = 12 attempts".
func product(outer, inner retrysite.Attempts) string {
	a, b := outer.Max, inner.Max
	if outer.Kind == retrysite.BoundConst && inner.Kind == retrysite.BoundConst && a > 0 && b > 0 {
		return fmt.Sprintf("%d x %d = %d attempts", a, b, a*b)
	}
	return count(outer) + " x " + count(inner) + " attempts"
}

// count is the number of attempts of one site, as far as it is known.
func count(a retrysite.Attempts) string {
	switch {
	case a.Kind == retrysite.BoundConst && a.Max > 0:
		return fmt.Sprint(a.Max)
	case a.Kind == retrysite.BoundNone:
		return "unlimited"
	}
	return "n"
}
