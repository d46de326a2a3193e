package unsafemethod

import (
	_ "embed"
	"fmt"
	"net/http"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/fate"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports unsafe requests that are sent again; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "unsafemethod",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("unsafemethod"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		decl := s.Func.Declaration()
		if decl == nil {
			continue
		}
		method := methodOf(pass.TypesInfo, decl, s.Op().Call)
		if method == "" || excused(pass.TypesInfo, decl) {
			continue
		}
		after := ""
		switch {
		case fate.OfError(pass.TypesInfo, s) == fate.Back:
			after = "any error"
		case afterTimeout(pass.TypesInfo, s):
			after = "a timeout"
		case fate.OfStatus(pass.TypesInfo, s, s.Op(), http.StatusBadGateway) == fate.Back && fate.OfStatus(pass.TypesInfo, s, s.Op(), http.StatusGatewayTimeout) == fate.Back:
			after = "a 502 or a 504"
		default:
			continue
		}
		call := s.Op().Call
		report.Site(pass, s, call.Pos(), call.End(), fmt.Sprintf(
			"sends the %s of %s again after %s, though the server may have acted on it already; send an idempotency key that is made once, or retry only what was not sent",
			method, s.Op().Name, after), nil)
	}
	return nil, nil
}
