package retrysite

import (
	"go/ast"
	"go/types"
)

// tellsPolicy says whether the error is handed to something that the loop asks
// whether to go on: state.OnFailure(err) under for state.Continue(). So is a
// function of the package that sets what a condition of the loop reads.
func (f *finder) tellsPolicy(l *loop, c *candidate, back []ast.Node) bool {
	told, set := make(map[types.Object]bool), make(map[types.Object]bool)
	errs := c.fail.errVars()
	for _, n := range back {
		inspectOwn(n, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || call == c.call {
				return
			}
			if callee := calleeOf(f.info, call); callee != nil && logs(callee) {
				return
			}
			given := false
			for _, a := range call.Args {
				ast.Inspect(a, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && errs[f.info.ObjectOf(id)] {
						given = true
					}
					return true
				})
			}
			if given {
				f.setBy(f.called(c.fail.g.fn, call), set)
			}
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && given && f.info.Selections[sel] != nil {
				if r := refOf(f.info, sel.X); r.root != nil {
					told[r.root] = true
				}
			}
		})
	}
	if len(told) == 0 && len(set) == 0 {
		return false
	}
	asked := false
	for _, cond := range loopConditions(l) {
		ast.Inspect(cond, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && set[f.info.ObjectOf(id)] {
				asked = true
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.info.Selections[sel] != nil && told[refOf(f.info, sel.X).root] {
					asked = true
				}
			}
			return true
		})
	}
	return asked
}

// setBy adds the variables and fields that a function assigns and that are not
// its own.
func (f *finder) setBy(fn *Func, set map[types.Object]bool) {
	if fn == nil || fn.Body() == nil {
		return
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return
		}
		for _, l := range as.Lhs {
			switch l := ast.Unparen(l).(type) {
			case *ast.SelectorExpr:
				set[f.info.ObjectOf(l.Sel)] = true
			case *ast.Ident:
				if o := f.info.ObjectOf(l); o != nil && (o.Pos() < fn.Body().Pos() || o.Pos() >= fn.Body().End()) {
					set[o] = true
				}
			}
		}
	})
}
