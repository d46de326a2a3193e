package percallbudget

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
)

// A hoist moves what is made for each call to package variables.
type hoist struct {
	pass  *analysis.Pass
	taken map[string]bool // names of the variables of this package's other fixes
}

// fix makes v a package variable in front of the function. It is nil where the
// call needs something of the function, also yields an error, or is no
// statement of its own, and where the name is not free in the package.
func (h hoist) fix(fn *ast.FuncDecl, call *ast.CallExpr, v *types.Var, around []ast.Node) *analysis.SuggestedFix {
	assign, ok := around[len(around)-2].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || assign.Tok != token.DEFINE || !h.global(call) {
		return nil
	}
	if _, ok := around[len(around)-3].(*ast.BlockStmt); !ok || !h.free(fn, v) {
		return nil
	}
	h.taken[v.Name()] = true
	at := fn.Pos()
	if fn.Doc != nil {
		at = fn.Doc.Pos()
	}
	return &analysis.SuggestedFix{
		Message: "Make " + v.Name() + " once, in a package variable",
		TextEdits: []analysis.TextEdit{
			{Pos: at, End: at, NewText: fmt.Appendf(nil, "// %s is shared by all calls of %s.\nvar %[1]s = %[3]s\n\n", v.Name(), fn.Name.Name, edit.Source(h.pass, call))},
			{Pos: assign.Pos(), End: assign.End()},
		},
	}
}

// global says whether a call means the same outside of any function.
func (h hoist) global(call *ast.CallExpr) bool {
	same := true
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			same = false
		case *ast.Ident:
			obj := h.pass.TypesInfo.ObjectOf(n)
			if v, ok := obj.(*types.Var); ok && v.IsField() {
				break
			}
			if obj == nil || obj.Pkg() == h.pass.Pkg && obj.Parent() != h.pass.Pkg.Scope() {
				if _, imported := obj.(*types.PkgName); !imported {
					same = false
				}
			}
		}
		return same
	})
	return same
}

// free says whether a package variable of that name would stand for v and for
// nothing else.
func (h hoist) free(fn *ast.FuncDecl, v *types.Var) bool {
	if h.taken[v.Name()] || h.pass.Pkg.Scope().Lookup(v.Name()) != nil || types.Universe.Lookup(v.Name()) != nil {
		return false
	}
	free := true
	for id, obj := range h.pass.TypesInfo.Defs {
		if id.Name == v.Name() && obj != nil && obj != types.Object(v) && id.Pos() >= fn.Pos() && id.Pos() < fn.End() {
			free = false // another variable of the function
		}
	}
	for _, file := range h.pass.Files {
		for _, spec := range file.Imports {
			if name := h.pass.TypesInfo.PkgNameOf(spec); name != nil && name.Name() == v.Name() {
				free = false
			}
		}
	}
	return free
}
