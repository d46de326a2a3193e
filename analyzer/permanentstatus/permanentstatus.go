package permanentstatus

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/fate"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries of statuses that will not change; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "permanentstatus",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("permanentstatus"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		// These two have no other meaning: a client that retries them retries
		// every status.
		if fate.OfStatus(pass.TypesInfo, s, 400) != fate.Back || fate.OfStatus(pass.TypesInfo, s, 422) != fate.Back {
			continue
		}
		call := s.Op().Call
		report.Site(pass, s, call.Pos(), call.End(), fmt.Sprintf(
			"retries %s even after a 400 or a 422, which will be answered the same way %s; retry 429, 502, 503 and 504 only", s.Op().Name, report.Times(s)), nil)
	}
	return nil, nil
}
