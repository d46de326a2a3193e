package retrysite

import (
	"go/ast"
)

// stateAsked finds the conditions after a failure that ask what the operation was
// called on for its state, and of which one way leaves: if the connection turns
// out to be closed, only then another one is taken.
//
//	s, err := conn.NewStream()
//	if err != nil {
//		if conn.IsClosed() {
//			continue
//		}
//		return err
//	}
func (f *finder) stateAsked(c *candidate) (list []Inspection) {
	sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	if !ok || f.info.Selections[sel] == nil {
		return nil
	}
	on := refOf(f.info, sel.X)
	if on.root == nil {
		return nil
	}
	for _, n := range c.fail.nodes {
		if n.cond == nil || n.outcome || !n.comesBack || !n.goesOut {
			continue
		}
		yes, no := n.ways[0] != nil && n.ways[0].comesBack, n.ways[1] != nil && n.ways[1].comesBack
		if yes == no {
			continue
		}
		if call := f.asksState(n.cond, on); call != nil {
			list = append(list, Inspection{How: InspectPredicate, Pos: n.cond.Pos(), Expr: n.cond, Callee: calleeOf(f.info, call), Stops: true, Last: true})
		}
	}
	return list
}

// asksState is the call in a condition by which something is asked, or a part of
// it, that has nothing to be told: conn.IsClosed(); nil if there is none.
func (f *finder) asksState(cond ast.Expr, on ref) (found *ast.CallExpr) {
	ast.Inspect(cond, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return found == nil
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && f.info.Selections[sel] != nil && isBool(f.info.TypeOf(call)) {
			if r := refOf(f.info, sel.X); r.root == on.root && r.within(on) {
				found = call
			}
		}
		return found == nil
	})
	return found
}
