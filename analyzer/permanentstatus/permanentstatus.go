package permanentstatus

import (
	_ "embed"
	"fmt"
	"go/types"
	"net/http"
	"slices"

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
		i := slices.IndexFunc(s.Ops, func(op *retrysite.Operation) bool { return permanent(pass.TypesInfo, s, op) })
		if i < 0 {
			continue
		}
		op := s.Ops[i]
		report.Site(pass, s, op.Pos(), op.Call.End(), fmt.Sprintf(
			"retries %s even after a 400 or a 422, which will be answered the same way %s; retry 429, 502, 503 and 504 only", op.Name, report.Times(s)), nil)
	}
	return nil, nil
}

// permanent reports whether an operation is made again after statuses that have
// no other meaning: a client that retries these two retries every status.
func permanent(info *types.Info, s *retrysite.Site, op *retrysite.Operation) bool {
	return fate.OfStatus(info, s, op, http.StatusBadRequest) == fate.Back && fate.OfStatus(info, s, op, http.StatusUnprocessableEntity) == fate.Back
}
