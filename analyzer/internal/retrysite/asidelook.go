package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
)

// asksPause says whether all that a look asks of the outcome is how much time
// is left, or whether a wait went well that was made for the outcome: it says
// nothing of what the operation answered.
func (f *finder) asksPause(fn *Func, l *look) bool {
	return len(l.parts) > 0 && !slices.ContainsFunc(l.parts, func(e ast.Expr) bool { return !f.isPauseAnswer(fn, e) })
}

// isPauseAnswer says whether an operand of a condition is what a wait answered,
// or a comparison of times.
func (f *finder) isPauseAnswer(fn *Func, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return f.isPauseAnswer(fn, e.X)
	case *ast.BinaryExpr:
		if f.info.Types[e.Y].IsNil() {
			return f.isPauseAnswer(fn, e.X)
		}
		t := f.info.TypeOf(e.X)
		return t != nil && named(t, "time", "Time")
	case *ast.CallExpr:
		callee := calleeOf(f.info, e)
		if callee == nil {
			return false
		}
		if recv := callee.Signature().Recv(); recv != nil && named(recv.Type(), "time", "Time") {
			return true
		}
		if target := f.res.FuncOf(callee); target != nil {
			return f.pauses(target, 0) != nil && f.reachBody(target, 0) != ReachRemote
		}
		w, _ := f.callWait(fn, e, false)
		return w != nil
	case *ast.Ident:
		v, ok := f.info.ObjectOf(e).(*types.Var)
		if !ok || v.IsField() {
			return false
		}
		vals := f.valuesOf(fn, v)
		return len(vals) > 0 && !slices.ContainsFunc(vals, func(a assigned) bool {
			call, ok := ast.Unparen(a.expr).(*ast.CallExpr)
			return a.expr == nil || !ok || !f.isPauseAnswer(fn, call)
		})
	}
	return false
}

// namesFailure says whether the way of a look that leads back makes a failure
// of what was answered, by setting an error to one that the package names:
//
//	if sum != want {
//		err = ErrChecksum
//		continue
//	}
func (f *finder) namesFailure(fn *Func, l *look) (found bool) {
	if !l.onYes || l.onNo {
		return false
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		s, ok := n.(*ast.IfStmt)
		if !ok || s.Cond != l.expr {
			return
		}
		for _, stmt := range s.Body.List {
			as, ok := stmt.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != len(as.Rhs) {
				continue
			}
			for i, lhs := range as.Lhs {
				named, ok := objectOf(f.info, as.Rhs[i]).(*types.Var)
				found = found || ok && isPackageLevel(named) && isError(f.info.TypeOf(lhs))
			}
		}
	})
	return found
}
