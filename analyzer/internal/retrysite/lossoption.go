package retrysite

import (
	"go/ast"
	"go/types"
)

// optedOut says whether it is an option, a bool that the function is given or
// that its receiver has, by which a return is reached rather than one of those
// that give the last error: who sets it does not want to hear of it.
func (lw *lossWalk) optedOut(r *ast.ReturnStmt, kept map[*ast.ReturnStmt]bool) bool {
	for _, n := range lw.w.nodes {
		cond := n.condition()
		if cond == nil || n.outcome || n.comesBack || !lw.isOption(cond) {
			continue
		}
		silent, told := false, false
		for _, way := range lw.p.succs[n] {
			returns := lw.returnsFrom(way)
			silent = silent || len(returns) == 1 && returns[r]
			for other := range returns {
				told = told || len(returns) == 1 && other != r && kept[other]
			}
		}
		if silent && told {
			return true
		}
	}
	return false
}

// isOption says whether e is a bool from outside, as it is or negated.
func (lw *lossWalk) isOption(e ast.Expr) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		e = u.X
	}
	v := varOf(lw.f.info, e)
	return v != nil && types.Identical(v.Type().Underlying(), types.Typ[types.Bool]) && (v.IsField() || lw.f.paramOf(lw.w.g.fn, v) != nil)
}

// returnsFrom are the returns that are reached from a node.
func (lw *lossWalk) returnsFrom(n *pathNode) map[*ast.ReturnStmt]bool {
	returns := make(map[*ast.ReturnStmt]bool)
	seen := make(map[*pathNode]bool)
	work := []*pathNode{n}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if k := len(at.block.Nodes); k > 0 {
			if r, ok := at.block.Nodes[k-1].(*ast.ReturnStmt); ok {
				returns[r] = true
			}
		}
		work = append(work, lw.p.succs[at]...)
	}
	return returns
}
