package bodyreuse

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

// Analyzer reports requests and readers that only the first attempt can send; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "bodyreuse",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("bodyreuse"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		for _, sp := range s.Spent {
			message := fmt.Sprintf("%s is read to its end by the first attempt, so that the next one sends nothing; keep the bytes and make a reader inside the attempt", sp.Name)
			switch {
			case sp.GetBody:
				message = fmt.Sprintf("the body of %s is spent after the first attempt, and net/http sets it anew only on a connection that it kept, so that on a new one the next attempt fails; set it from %[1]s.GetBody, or build the request inside the attempt", sp.Name)
			case sp.Request:
				message = fmt.Sprintf("the body of %s is spent after the first attempt, so that the next one sends none; set it anew from %[1]s.GetBody, or build the request inside the attempt", sp.Name)
			}
			report.Site(pass, s, sp.Arg.Pos(), sp.Arg.End(), message, fix(pass, s, sp))
		}
	}
	return nil, nil
}
