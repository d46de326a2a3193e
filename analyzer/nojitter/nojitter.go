package nojitter

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports waits that are the same for every client; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "nojitter",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("nojitter"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range result.Sites {
		for _, w := range s.Waits {
			if !inStep(s, w) || ticks(pass.TypesInfo, w) || result.OfInner(s, w) {
				continue
			}
			how := "the same number"
			if w.Grows == retrysite.Yes {
				how = "growing but the same"
			}
			wayOut := "draw it at random: rand.N(delay)"
			if w.How == retrysite.WaitLibrary && s.Library != nil {
				wayOut = "give " + s.Library.Func + " a wait with jitter"
			}
			report.Site(pass, s, w.Node.Pos(), w.Node.End(), fmt.Sprintf(
				"the wait before the next %s is %s for every client, so that all who failed together come back together; %s",
				s.Op().Name, how, wayOut), fix(pass, s, w))
			break // one cause, however many waits
		}
	}
	for _, d := range result.Stored {
		report.Place(pass, d.Node, fmt.Sprintf(
			"%s grows but is the same for every client, so that all who failed together come back together; draw it at random: rand.N(delay)", d.Name), fixStored(pass, d))
	}
	for _, d := range result.Delays {
		if calculated(pass, d) {
			report.Place(pass, d.Growth.Node, fmt.Sprintf(
				"the wait that %s computes grows but is the same for every client, so that all who failed together come back together; draw it at random: rand.N(delay)", d.Name), nil)
		}
	}
	return nil, nil
}

// ticks says whether a wait is one for a ticker, the pace of a poll: what it
// asks for was not there yet, and nothing has failed together.
func ticks(info *types.Info, w *retrysite.Wait) (found bool) {
	sel, ok := w.Node.(*ast.SelectStmt)
	if !ok {
		return false
	}
	for _, c := range sel.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if t := info.TypeOf(x.X); t != nil && t.String() == "*time.Ticker" {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// shortest is a wait that is too short to gather clients.
const shortest = 10 * time.Millisecond

// inStep says whether a wait is known to be the same for every client of a
// remote dependency.
func inStep(s *retrysite.Site, w *retrysite.Wait) bool {
	if w.Jittered != retrysite.No || w.HasConst && w.Const < shortest {
		return false
	}
	switch s.Op().Reach {
	case retrysite.ReachRemote:
		return w.HasConst || w.Growth.Kind != retrysite.GrowthUnknown || w.Grows != retrysite.Unknown
	case retrysite.ReachParam:
		// What a retrier is used for is not known, but that it grows shows what
		// it is meant for.
		return w.Growth.Kind == retrysite.GrowthExponential
	}
	return false
}
