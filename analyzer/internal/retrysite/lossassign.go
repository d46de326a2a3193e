package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// overwrites finds the assignments by which the site, having given up, puts a
// new error into the variable that holds the last one, to return that.
func (lw *lossWalk) overwrites() (losses []Loss) {
	seen := make(map[ast.Node]bool)
	for _, n := range lw.w.nodes {
		at := lw.at[n]
		if at == nil || n.repeat || n.comesBack {
			continue
		}
		st := at.clone()
		for i, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
			if v := lw.overwritten(st, x); v != nil && !seen[x] && lw.returnedFrom(n, v) {
				seen[x] = true
				losses = append(losses, Loss{How: LossNew, By: LossByBound, Node: x, Expr: x.(*ast.AssignStmt).Rhs[0]})
			}
			lw.transfer(st, x, n == lw.w.nodes[0] && i == 0)
		}
	}
	return losses
}

// overwritten is the variable with the last error that a statement gives a new
// one, after the attempts were used up; nil if nothing is lost by it.
func (lw *lossWalk) overwritten(st *lossNode, x ast.Node) *types.Var {
	as, ok := x.(*ast.AssignStmt)
	if !ok || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || len(as.Rhs) != 1 || !st.by[LossByBound] || st.stored || !lw.f.makesError(as.Rhs[0]) {
		return nil
	}
	id, ok := ast.Unparen(as.Lhs[0]).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := lw.f.info.ObjectOf(id).(*types.Var)
	if !ok || !lw.owns(v) || st.vars[v] != heldAll || lw.holds(st, as.Rhs[0]) != heldNone {
		return nil
	}
	for o, h := range st.vars {
		if o != types.Object(v) && h > heldNone {
			return nil // something else still has it
		}
	}
	return v
}

// returnedFrom says whether every return that is reached from n gives v.
func (lw *lossWalk) returnedFrom(n *pathNode, v *types.Var) bool {
	index, _ := lw.f.errorResult(lw.w.g.fn)
	if index < 0 {
		return false
	}
	returns := lw.returnsFrom(n)
	for r := range returns {
		if index >= len(r.Results) || objectOf(lw.f.info, r.Results[index]) != types.Object(v) {
			return false
		}
	}
	return len(returns) > 0
}
