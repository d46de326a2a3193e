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
		for _, op := range s.Ops {
			first, second := permanent(pass.TypesInfo, s, op)
			if first == 0 {
				continue
			}
			report.Site(pass, s, op.Pos(), op.Call.End(), fmt.Sprintf(
				"retries %s even after a %d or a %d, which will be answered the same way %s; retry 429, 502, 503 and 504 only",
				op.Name, first, second, report.Times(s)), nil)
			break
		}
	}
	return nil, nil
}

// unchanging are the statuses that have no other meaning than that the request
// is wrong. A client may have its reasons for the others: a 404 of what is being
// made, a 409 of what somebody else is done with soon.
var unchanging = []int{http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusGone, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

// permanent gives two of the statuses after which an operation is made again
// though they won't change, 0 if it is not: after the two that servers answer
// most, or after one of them and others that the code does not name.
func permanent(info *types.Info, s *retrysite.Site, op *retrysite.Operation) (first, second int) {
	var back []int
	for _, status := range unchanging {
		if fate.OfStatus(info, s, op, status) == fate.Back {
			back = append(back, status)
		}
	}
	bad, unprocessable := slices.Contains(back, http.StatusBadRequest), slices.Contains(back, http.StatusUnprocessableEntity)
	if bad && unprocessable || (bad || unprocessable) && len(back) >= 3 {
		return back[0], back[len(back)-1]
	}
	return 0, 0
}
