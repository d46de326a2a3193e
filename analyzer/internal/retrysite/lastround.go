package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// neverEnds says whether the way from n to next is the end of a counted loop
// by its condition, which no failed attempt comes to since its body leaves in
// the last round by a question of its own:
//
//	for i := 0; i <= n; i++ {
//		err = call()
//		if !transient(err) || i >= n {
//			break
//		}
//	}
func (w *walk) neverEnds(n, next *pathNode) bool {
	for _, l := range w.g.loops {
		loop, ok := l.node.(*ast.ForStmt)
		if ok && loop.Cond != nil && n.condition() == loop.Cond && !l.blocks[next.block] {
			return w.leavesLast(loop)
		}
	}
	return false
}

// leavesLast says whether the body of a counted loop always leaves it in the
// last round, once the operation has failed.
func (w *walk) leavesLast(loop *ast.ForStmt) bool {
	counter := countedUp(w.info, loop.Post)
	bound, included := boundOf(w.info, loop.Cond, counter)
	cond, isComparison := ast.Unparen(loop.Cond).(*ast.BinaryExpr)
	if bound == nil || !isComparison || cond.Op == token.LAND || w.sets(loop.Body, counter) || w.sets(loop.Body, varOf(w.info, bound)) {
		return false
	}
	for _, s := range loop.Body.List {
		if branch, ok := s.(*ast.IfStmt); ok && w.isLastRound(branch.Cond, counter, bound, included) && endsLoop(branch.Body) {
			return true
		}
		if skips(s) {
			return false
		}
	}
	return false
}

// countedUp is the variable that a statement counts up by one, nil if it does
// something else.
func countedUp(info *types.Info, s ast.Stmt) *types.Var {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if s.Tok == token.INC {
			return varOf(info, s.X)
		}
	case *ast.AssignStmt:
		if s.Tok == token.ADD_ASSIGN && isOne(s.Rhs[0]) {
			return varOf(info, s.Lhs[0])
		}
	}
	return nil
}

// isLastRound says whether a condition holds in the last round of a loop that
// counts up to bound, whatever else it asks.
func (w *walk) isLastRound(cond ast.Expr, counter *types.Var, bound ast.Expr, included bool) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.LOR:
		return w.isLastRound(b.X, counter, bound, included) || w.isLastRound(b.Y, counter, bound, included)
	case token.GEQ, token.EQL:
	default:
		return false
	}
	if included {
		return varOf(w.info, b.X) == counter && sameText(b.Y, bound)
	}
	next, isSum := ast.Unparen(b.X).(*ast.BinaryExpr)
	if isSum && next.Op == token.ADD && varOf(w.info, next.X) == counter && isOne(next.Y) {
		return sameText(b.Y, bound)
	}
	less, isDifference := ast.Unparen(b.Y).(*ast.BinaryExpr)
	return isDifference && less.Op == token.SUB && varOf(w.info, b.X) == counter && isOne(less.Y) && sameText(less.X, bound)
}

// endsLoop says whether a block ends with the end of the loop around it.
func endsLoop(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && s.Label == nil
	}
	return false
}

// skips says whether a statement may go on to the next round.
func skips(s ast.Stmt) (found bool) {
	inspectOwn(s, func(n ast.Node) {
		if b, ok := n.(*ast.BranchStmt); ok && (b.Tok == token.CONTINUE || b.Tok == token.GOTO) {
			found = true
		}
	})
	return found
}
