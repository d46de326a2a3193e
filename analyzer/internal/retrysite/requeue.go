package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// requeued says whether a loop that takes things from a channel puts one back
// on it after the operation failed on it, and only then: the queue is the way
// back to the operation.
func (f *finder) requeued(g *graph, l *loop, c *candidate) bool {
	taken := f.received(l)
	if len(taken) == 0 {
		return false
	}
	back := func(w *walk) bool {
		for _, n := range w.nodes {
			for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
				send, ok := x.(*ast.SendStmt)
				if !ok {
					continue
				}
				v, _ := objectOf(f.info, send.Value).(*types.Var)
				if ch := objectOf(f.info, send.Chan); v != nil && ch != nil && taken[v] == ch {
					return true
				}
			}
		}
		return false
	}
	return back(c.fail) && !back(c.success)
}

// received maps the variables that a loop receives to the channels from which
// it does.
func (f *finder) received(l *loop) map[*types.Var]types.Object {
	taken := make(map[*types.Var]types.Object)
	add := func(lhs, ch ast.Expr) {
		v, _ := objectOf(f.info, lhs).(*types.Var)
		if o := objectOf(f.info, ch); v != nil && o != nil {
			taken[v] = o
		}
	}
	if r, ok := l.node.(*ast.RangeStmt); ok && r.Key != nil {
		if t := f.info.TypeOf(r.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				add(r.Key, r.X)
			}
		}
	}
	inspectOwn(l.node, func(n ast.Node) {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Rhs) != 1 {
			return
		}
		if u, ok := ast.Unparen(as.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			add(as.Lhs[0], u.X)
		}
	})
	return taken
}
