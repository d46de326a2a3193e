package backoffcap

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
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

// wraps is what messages say of a wait that overflows first.
const wraps = "overflows before it is limited, so that after some dozens of attempts it is negative and nothing is waited; limit the number of the attempt by which it grows"

// grows is how messages say in what way a wait grows.
func grows(g retrysite.Growth) string {
	if g.Sums {
		return "grows"
	}
	return "doubles"
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, d := range result.Delays {
		if d.Growth.Kind != retrysite.GrowthExponential || d.Growth.Capped != retrysite.No && !d.Growth.Wraps || !believed(d) || harmless(result, d) || limitedBeside(pass, d) || limitedByCaller(pass, d) {
			continue
		}
		if d.Growth.Wraps {
			if counted(pass, d) {
				continue
			}
			report.Place(pass, d.Growth.Node, fmt.Sprintf("the wait that %s computes %s", d.Name, wraps), nil)
			continue
		}
		report.Place(pass, d.Growth.Node, fmt.Sprintf(
			"the wait that %s computes %s without limit, until it takes hours or wraps to a negative number; limit it with min", d.Name, grows(d.Growth)), fix(pass, d.Growth))
	}
	for _, s := range result.Sites {
		for _, w := range s.Waits {
			g := w.Growth
			if g.Wraps && g.Func == s.Func && !s.Attempts.Bounded() {
				report.Site(pass, s, w.Node.Pos(), w.Node.End(), fmt.Sprintf("the wait before the next %s %s", s.Op().Name, wraps), nil)
				continue
			}
			if g.Kind != retrysite.GrowthExponential || g.Capped != retrysite.No || g.Func != s.Func && g.Extern == nil && w.Duration != nil {
				continue
			}
			if s.Attempts.Kind == retrysite.BoundConst && w.Longest <= longest || keptSmall(pass, s) {
				continue
			}
			report.Site(pass, s, w.Node.Pos(), w.Node.End(), fmt.Sprintf(
				"the wait before the next %s %s without limit, until it takes hours or wraps to a negative number; limit it with min", s.Op().Name, grows(g)), fix(pass, g))
		}
	}
	return nil, nil
}

// believed says whether a function that computes a duration is known to do so
// for a retry.
func believed(d *retrysite.Delay) bool { return d.Named || len(d.Sites) > 0 }

// countName matches settings for the most attempts.
var countName = retrysite.Matcher(`(?i)max.*(retr|attempt|tries)|^(retries|attempts|steps|count)$`)

// counted says whether the attempts for which a function computes the waits are
// limited in number, by the sites that use it or by a setting beside it: then it
// depends on that number whether anything overflows.
func counted(pass *analysis.Pass, d *retrysite.Delay) bool {
	for _, s := range d.Sites {
		if s.Attempts.Bounded() {
			return true
		}
	}
	decl := d.Func.Declaration()
	if decl == nil {
		return false
	}
	number := func(v *types.Var) bool {
		b, ok := v.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0 && v != d.Growth.Counter && countName(v.Name())
	}
	for _, field := range d.Func.Type().Params.List {
		for _, name := range field.Names {
			if v, ok := pass.TypesInfo.Defs[name].(*types.Var); ok && number(v) {
				return true
			}
		}
	}
	fn, _ := pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if fn == nil {
		return false
	}
	for v := range fn.Signature().Params().Variables() {
		if d.Func.Lit != nil && number(v) || hasField(v.Type(), number) {
			return true
		}
	}
	recv := fn.Signature().Recv()
	return recv != nil && hasField(recv.Type(), number)
}

// hasField says whether one of the fields of a struct, or of what a pointer points
// to, is as asked for.
func hasField(t types.Type, is func(*types.Var) bool) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if is(f) {
			return true
		}
	}
	return false
}

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
