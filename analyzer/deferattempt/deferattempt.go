package deferattempt

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports defer statements that run once per attempt; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "deferattempt",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("deferattempt"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	sites := slices.Clone(result.Sites)
	for _, s := range result.Others {
		if len(s.Waits) == 0 {
			continue
		}
		// A retry that is not told from a worker, or what waits and asks again.
		if s.Repeats && len(s.Inspections) > 0 || s.Shape == retrysite.ShapePoll {
			sites = append(sites, s)
		}
	}
	for _, s := range sites {
		for i, d := range s.Defers {
			if !releases(pass.TypesInfo, d.Call) || onlyOnce(pass.TypesInfo, s, d) {
				continue
			}
			var whole *analysis.SuggestedFix
			if i == 0 { // it is a fix for the others too
				whole = fix(pass, s)
			}
			each := "failed "
			if s.Shape == retrysite.ShapePoll {
				each = ""
			}
			report.Site(pass, s, d.Pos(), d.End(), fmt.Sprintf(
				"this defer runs when the function returns, not after the attempt, so that each %s%s leaves its resource open meanwhile; move the attempt into a function of its own",
				each, s.Op().Name), whole)
		}
	}
	return nil, nil
}

// releases says whether a deferred call gives back what the attempt took: a
// function literal is looked into, as one that only measures or tells may be
// deferred as often as one likes. Of any other call it is taken for granted.
func releases(info *types.Info, call *ast.CallExpr) (found bool) {
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok {
		return true
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		inner, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		switch fun := ast.Unparen(inner.Fun).(type) {
		case *ast.Ident:
			b, isBuiltin := info.ObjectOf(fun).(*types.Builtin)
			found = isBuiltin && b.Name() == "close" || !isBuiltin && (len(inner.Args) == 0 || givesBack(fun.Name))
		case *ast.SelectorExpr:
			found = givesBack(fun.Sel.Name)
		}
		return !found
	})
	return found
}

// onlyOnce says whether a defer stands where something is made or done that was
// not yet, and is from then on: if timer == nil { timer = …; defer timer.Stop() },
// if !locked { locked = true; … }.
func onlyOnce(info *types.Info, s *retrysite.Site, d *ast.DeferStmt) (found bool) {
	ast.Inspect(s.Node, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || d.Pos() < branch.Body.Pos() || d.End() > branch.Body.End() {
			return !found
		}
		id := notYet(info, branch.Cond)
		if id == nil || s.Node.Pos() <= info.ObjectOf(id).Pos() && info.ObjectOf(id).Pos() < s.Node.End() {
			return true // made anew in each round
		}
		for _, stmt := range branch.Body.List {
			if as, ok := stmt.(*ast.AssignStmt); ok && slices.ContainsFunc(as.Lhs, func(l ast.Expr) bool {
				to, isIdent := l.(*ast.Ident)
				return isIdent && info.ObjectOf(to) == info.ObjectOf(id)
			}) {
				found = true
			}
		}
		return !found
	})
	return found
}

// notYet is the variable of which a condition asks whether it is nil or false;
// nil if it asks for something else.
func notYet(info *types.Info, cond ast.Expr) *ast.Ident {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if id, ok := ast.Unparen(cond.X).(*ast.Ident); ok && cond.Op == token.EQL && info.Types[cond.Y].IsNil() {
			return id
		}
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(cond.X).(*ast.Ident); ok && cond.Op == token.NOT {
			return id
		}
	}
	return nil
}

// givesBack says whether a name is one of a function that ends or returns
// something.
func givesBack(name string) bool {
	name = strings.ToLower(name)
	for _, s := range []string{"close", "cancel", "stop", "unlock", "release", "rollback", "remove", "delete", "shutdown", "disconnect", "free", "put", "done", "end", "finish", "kill", "cleanup", "drain", "abort", "discard", "destroy", "leave", "reset", "wait"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
