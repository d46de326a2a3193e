package percallbudget

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports what is meant to be shared and is made for each call; see
// the package documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "percallbudget",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("percallbudget"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Pkg.Name() == "main" || !imports(pass.Pkg) {
		return nil, nil
	}
	retries := make(map[ast.Node]bool) // loops that are one call's, and what libraries run
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		retries[s.Node] = true
		if s.Attempt != nil && s.Attempt.Lit != nil {
			retries[s.Attempt.Lit] = true
		}
	}
	hoist := hoist{pass, make(map[string]bool)}
	for _, file := range retrysite.SearchedFiles(pass) {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && servesRequest(pass.TypesInfo, fn) {
				check(pass, fn, retries, hoist)
			}
		}
	}
	return nil, nil
}

func imports(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		for name := range makers {
			if strings.HasPrefix(name, p.Path()+".") {
				return true
			}
		}
	}
	return false
}

// servesRequest reports whether a function takes a context or a request.
func servesRequest(info *types.Info, fn *ast.FuncDecl) bool {
	for _, field := range fn.Type.Params.List {
		t := info.TypeOf(field.Type)
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
			switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
			case "context.Context", "net/http.Request":
				return true
			}
		}
	}
	return false
}

// check looks for makers in one function.
func check(pass *analysis.Pass, fn *ast.FuncDecl, retries map[ast.Node]bool, hoist hoist) {
	var around []ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if lit, ok := n.(*ast.FuncLit); ok && !retries[lit] {
			return false // it may be called many times, by whoever gets it
		}
		around = append(around, n)
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		what := maker(typeutil.StaticCallee(pass.TypesInfo, call))
		if what == "" || manyItems(around, retries) {
			return true
		}
		v := variable(pass.TypesInfo, around)
		if v == nil || !usedHereOnly(pass.TypesInfo, fn.Body, v, retries) {
			return true
		}
		report.Place(pass, call, fmt.Sprintf("makes the %s %s for each call of %s, so %s; make it once and keep it in a field or a package variable",
			what, v.Name(), fn.Name.Name, harm[what]), hoist.fix(fn, call, v, around))
		return true
	})
}

// manyItems reports whether a node stands in a loop that isn't a retry.
func manyItems(around []ast.Node, retries map[ast.Node]bool) bool {
	for _, n := range around {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if !retries[n] {
				return true
			}
		}
	}
	return false
}

// variable is the one that a call's first result is put into where it is
// declared.
func variable(info *types.Info, around []ast.Node) *types.Var {
	if len(around) < 2 {
		return nil
	}
	call := around[len(around)-1]
	switch parent := around[len(around)-2].(type) {
	case *ast.AssignStmt:
		if len(parent.Rhs) == 1 && parent.Rhs[0] == call {
			if id, ok := parent.Lhs[0].(*ast.Ident); ok {
				v, _ := info.Defs[id].(*types.Var)
				return v
			}
		}
	case *ast.ValueSpec:
		if len(parent.Values) == 1 && parent.Values[0] == call {
			v, _ := info.Defs[parent.Names[0]].(*types.Var)
			return v
		}
	}
	return nil
}

// usedHereOnly reports whether methods of v are called, and nothing else is
// done with it: neither is it handed on, nor does a loop over items or a
// function that may live on use it.
func usedHereOnly(info *types.Info, body *ast.BlockStmt, v *types.Var, retries map[ast.Node]bool) bool {
	calls, elsewhere := 0, false
	var around []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] != v {
			return true
		}
		part := partOf(info, around)
		switch {
		case livesOn(around, retries), manyItems(around, retries):
			elsewhere = true
		case methodCall(info, around), runsNow(info, around, 1):
			calls++
		case part != nil && part != v && usedHereOnly(info, body, part, retries):
			calls++
		default:
			elsewhere = true
		}
		return true
	})
	return calls > 0 && !elsewhere
}

// partOf is the variable that is declared with what a method of the identifier at
// the end of around gives: op := policy.Operation("charge").
func partOf(info *types.Info, around []ast.Node) *types.Var {
	if len(around) < 4 {
		return nil
	}
	sel, ok := around[len(around)-2].(*ast.SelectorExpr)
	if !ok || sel.X != around[len(around)-1] {
		return nil
	}
	if call, ok := around[len(around)-3].(*ast.CallExpr); !ok || call.Fun != sel {
		return nil
	}
	return variable(info, around[:len(around)-2])
}

// runsNow reports whether what stands up levels below the end of around is an
// argument of a function of its own package that takes a context first, and so
// uses it and is done: otelretry.Do(ctx, op, charge).
func runsNow(info *types.Info, around []ast.Node, up int) bool {
	if len(around) <= up {
		return false
	}
	arg, ok := around[len(around)-up].(ast.Expr)
	if !ok {
		return false
	}
	call, ok := around[len(around)-up-1].(*ast.CallExpr)
	if !ok || call.Fun == arg {
		return false
	}
	callee := typeutil.StaticCallee(info, call)
	if callee == nil || callee.Signature().Recv() != nil || callee.Signature().Params().Len() == 0 || callee.Signature().Params().At(0).Type().String() != "context.Context" {
		return false
	}
	t := types.Unalias(info.TypeOf(arg))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg() == callee.Pkg()
}

// methodCall reports whether the identifier at the end of around is the
// receiver of a call whose result doesn't carry it on.
func methodCall(info *types.Info, around []ast.Node) bool {
	if len(around) < 3 {
		return false
	}
	sel, ok := around[len(around)-2].(*ast.SelectorExpr)
	if !ok || sel.X != around[len(around)-1] {
		return false
	}
	call, ok := around[len(around)-3].(*ast.CallExpr)
	if !ok || call.Fun != sel {
		return false
	}
	if len(around) < 4 {
		return true
	}
	switch info.TypeOf(call).(type) {
	case *types.Basic, *types.Tuple, nil:
		return true // an error, a decision, nothing
	}
	switch next := around[len(around)-4].(type) {
	case *ast.ExprStmt:
		return true
	case *ast.SelectorExpr: // policy.Operation("x").Run(...)
		return next.X == call
	case *ast.CallExpr: // otelretry.Do(ctx, policy.Operation("x"), ...)
		return runsNow(info, around, 3)
	}
	return isError(info.TypeOf(call))
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// livesOn reports whether a node stands in a function literal that isn't what
// a retry runs, or behind go or defer.
func livesOn(around []ast.Node, retries map[ast.Node]bool) bool {
	for _, n := range around {
		switch n.(type) {
		case *ast.FuncLit:
			if !retries[n] {
				return true
			}
		case *ast.GoStmt:
			return true
		}
	}
	return false
}
