package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// before is what is known when the operation begins, whichever way led to it:
// the flags that the round declares, and the conditions of the if statements of
// the loop around it, as far as what they ask about has not changed since. In
//
//	if err != nil {
//		if r.reopen() == nil {
//			err = nil
//		}
//	}
//
// err is set where reopen fails.
func (w *walk) before() state {
	st := w.flags()
	within := func(n ast.Node) bool {
		return n != nil && n.Pos() <= w.op.Pos() && w.op.End() <= n.End()
	}
	ast.Inspect(w.l.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if n.Cond != nil && within(n.Body) {
				st = w.since(w.assume(st, n.Cond, true), n.Cond.End())
			}
		case *ast.IfStmt:
			switch {
			case within(n.Body):
				st = w.since(w.assume(st, n.Cond, true), n.Cond.End())
			case n.Else != nil && within(n.Else):
				st = w.since(w.assume(st, n.Cond, false), n.Cond.End())
			}
		}
		return within(n)
	})
	return w.unset(st)
}

// since forgets of st what is written between a position and the operation.
func (w *walk) since(st state, pos token.Pos) state {
	changed := make(map[types.Object]bool)
	note := func(e ast.Expr) {
		if r := refOf(w.info, e); r.root != nil {
			changed[r.root] = true
		}
	}
	ast.Inspect(w.l.node, func(n ast.Node) bool {
		if n == nil || n.End() <= pos || n.Pos() >= w.op.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Pos() >= pos {
				for _, l := range n.Lhs {
					note(l)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		case *ast.CallExpr:
			// A method may change the fields of what it is called on.
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && n != w.op {
				note(sel.X)
			}
		}
		return true
	})
	for _, k := range st {
		if changed[k.at.root] || k.at.path != "" || isPackageLevelObject(k.at.root) {
			st = st.with(k.at, value{})
		}
	}
	return st
}

func isPackageLevelObject(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && isPackageLevel(v)
}
