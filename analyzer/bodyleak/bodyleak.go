package bodyleak

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

// Analyzer reports responses that stay open when the attempt is repeated; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "bodyleak",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("bodyleak"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		if s.Leak == nil {
			continue
		}
		call := s.Leaks.Call
		report.Site(pass, s, call.Pos(), call.End(), fmt.Sprintf(
			"%s stays open when %s is repeated, so that each failed attempt keeps a connection; drain and close %[1]s.Body before the next one", s.Leak.Name(), s.Leaks.Name), fix(pass, s))
	}
	return nil, nil
}
