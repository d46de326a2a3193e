package staleattempt

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retried functions that use an outer context; see the
// package documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "staleattempt",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("staleattempt"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

// handsOn are the libraries that run the function with the context that they
// were called with, unchanged.
var handsOn = map[string]bool{
	"github.com/sethvargo/go-retry":            true,
	"github.com/flowchartsman/retry":           true,
	"github.com/eapache/go-resiliency/retrier": true,
	"github.com/googleapis/gax-go/v2":          true,
	"k8s.io/apimachinery/pkg/util/wait":        true,
}

// limits are functions of such libraries that do put a time limit on it.
var limits = map[string]bool{
	"PollUntilContextTimeout": true,
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		if s.Kind != retrysite.KindLibrary || s.Attempt == nil || s.Attempt.Lit == nil || handsOn[s.Library.Path] && !limits[s.Library.Callee.Name()] {
			continue
		}
		own := contextParam(pass.TypesInfo, s.Attempt.Lit)
		if own == nil {
			continue
		}
		for _, op := range s.Ops {
			id, outer := outerContext(pass.TypesInfo, s.Attempt.Lit, op)
			if id == nil || setInside(pass.TypesInfo, s.Attempt.Lit, outer) {
				continue
			}
			name, fix := "its own", rename(pass, id, own)
			if own.Name() != "_" {
				name = own.Name()
			}
			report.Site(pass, s, id.Pos(), id.End(), fmt.Sprintf(
				"calls %s with the outer %s, so the attempt's time limit and span don't reach it; use the attempt's context, %s", op.Name, id.Name, name), fix)
			break
		}
	}
	return nil, nil
}

// contextParam is the context parameter of a function, nil if it has none.
func contextParam(info *types.Info, lit *ast.FuncLit) *types.Var {
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			if v, ok := info.Defs[name].(*types.Var); ok && isContext(v.Type()) {
				return v
			}
		}
	}
	return nil
}

// outerContext is the variable from outside of the function that the operation
// gets as its context.
func outerContext(info *types.Info, lit *ast.FuncLit, op *retrysite.Operation) (*ast.Ident, *types.Var) {
	id, ok := ast.Unparen(op.ContextArg).(*ast.Ident)
	if op.ContextArg == nil || !ok {
		return nil, nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || within(lit, v.Pos()) || !within(lit, id.Pos()) || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return nil, nil
	}
	return id, v
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// setInside reports whether the function itself sets the variable.
func setInside(info *types.Info, lit *ast.FuncLit, v *types.Var) (set bool) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, left := range assign.Lhs {
				if id, ok := left.(*ast.Ident); ok && info.Uses[id] == v {
					set = true
				}
			}
		}
		return !set
	})
	return set
}

// rename puts the function's own context in place of the outer one, where its
// name means that there.
func rename(pass *analysis.Pass, id *ast.Ident, own *types.Var) *analysis.SuggestedFix {
	if own.Name() == "_" {
		return nil
	}
	scope := pass.Pkg.Scope().Innermost(id.Pos())
	if scope == nil {
		return nil
	}
	if _, found := scope.LookupParent(own.Name(), id.Pos()); found != own {
		return nil
	}
	return &analysis.SuggestedFix{
		Message:   "Use the attempt's context",
		TextEdits: []analysis.TextEdit{{Pos: id.Pos(), End: id.End(), NewText: []byte(own.Name())}},
	}
}

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context"
}
