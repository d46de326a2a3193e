package backoffcap

import (
	_ "embed"
	"fmt"
	"go/ast"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports waits that grow without limit; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "backoffcap",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("backoffcap"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

// longest is how long a wait may become without a cap.
const longest = 5 * time.Minute

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, d := range result.Delays {
		if d.Growth.Kind != retrysite.GrowthExponential || d.Growth.Capped != retrysite.No || !believed(d) || harmless(result, d) || limitedBeside(pass, d) || limitedByCaller(pass, d) {
			continue
		}
		report.Place(pass, d.Growth.Node, fmt.Sprintf(
			"the wait that %s computes doubles without limit, until it takes hours or wraps to a negative number; limit it with min", d.Name), fix(pass, d.Growth))
	}
	for _, s := range result.Sites {
		for _, w := range s.Waits {
			g := w.Growth
			if g.Kind != retrysite.GrowthExponential || g.Capped != retrysite.No || g.Func != s.Func && g.Extern == nil {
				continue
			}
			if s.Attempts.Kind == retrysite.BoundConst && w.Longest <= longest {
				continue
			}
			report.Site(pass, s, w.Node.Pos(), w.Node.End(), fmt.Sprintf(
				"the wait before the next %s doubles without limit, until it takes hours or wraps to a negative number; limit it with min", s.Op().Name), fix(pass, g))
		}
	}
	return nil, nil
}

// believed says whether a function that computes a duration is known to do so
// for a retry.
func believed(d *retrysite.Delay) bool { return d.Named || len(d.Sites) > 0 }

// harmless says whether the function is used by sites of the package alone,
// all of which make so few attempts that it stays short.
func harmless(r *retrysite.Result, d *retrysite.Delay) bool {
	if d.Func.Obj == nil || d.Func.Obj.Exported() || len(d.Sites) == 0 {
		return false
	}
	for _, s := range d.Sites {
		if s.Attempts.Kind != retrysite.BoundConst || s.Attempts.Max > 10 {
			return false
		}
	}
	return true
}

// limitedBeside says whether the function is a literal that is handed on beside
// a maximum of attempts or of time: retry.WithMax(6), retry.WithBackoff(f).
func limitedBeside(pass *analysis.Pass, d *retrysite.Delay) (found bool) {
	if d.Func.Lit == nil {
		return false
	}
	within := func(n ast.Node) bool { return n.Pos() <= d.Func.Lit.Pos() && d.Func.Lit.End() <= n.End() }
	for _, file := range pass.Files {
		if !within(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || !within(n) || n == ast.Node(d.Func.Lit) {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				for _, a := range call.Args {
					found = found || !within(a) && speaksOfMax(a)
				}
			}
			return true
		})
	}
	return found
}

// speaksOfMax says whether an argument is a maximum, or an option that sets one.
func speaksOfMax(a ast.Expr) (found bool) {
	ast.Inspect(a, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || strings.Contains(strings.ToLower(id.Name), "max")
		}
		_, isLit := n.(*ast.FuncLit)
		return !found && !isLit
	})
	return found
}
