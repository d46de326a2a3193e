package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// collect finds the functions of the package, in source order, and of each what
// most searches ask for, so that the package is gone through once for all of
// them.
func (f *finder) collect() {
	var stack []*Func // the functions around the node at hand
	f.insp.Nodes([]ast.Node{
		(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil),
		(*ast.CallExpr)(nil), (*ast.AssignStmt)(nil), (*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.LabeledStmt)(nil),
	}, func(n ast.Node, push bool) bool {
		var fn *Func
		if len(stack) > 0 {
			fn = stack[len(stack)-1]
		}
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if push {
				stack = append(stack, f.function(n, fn))
			} else {
				stack = stack[:len(stack)-1]
			}
		case *ast.CallExpr:
			if push && fn != nil {
				fn.calls = append(fn.calls, n)
			}
		case *ast.AssignStmt:
			if push && fn != nil && storesDelay(n) {
				fn.stores = append(fn.stores, n)
			}
		default: // a loop, or a label that makes one
			if push && fn != nil && !fn.loop.IsValid() {
				fn.loop = n.Pos()
			}
		}
		return true
	})
}

// function notes a declaration or a literal; outer is the function around it.
func (f *finder) function(n ast.Node, outer *Func) *Func {
	fn := &Func{}
	switch n := n.(type) {
	case *ast.FuncDecl:
		fn.Decl = n
		if obj, ok := f.info.Defs[n.Name].(*types.Func); ok {
			fn.Obj = obj
			f.res.funcs[obj] = fn
		}
	case *ast.FuncLit:
		fn.Lit, fn.Outer = n, outer
		f.lits[n] = fn
		if outer != nil {
			outer.literals = append(outer.literals, fn)
		}
	}
	f.decls = append(f.decls, fn)
	return fn
}

// storesDelay says whether a statement sets a field that is named for a wait.
func storesDelay(as *ast.AssignStmt) bool {
	if as.Tok != token.ASSIGN || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return false
	}
	sel, ok := as.Lhs[0].(*ast.SelectorExpr)
	return ok && delayField(sel.Sel.Name)
}
