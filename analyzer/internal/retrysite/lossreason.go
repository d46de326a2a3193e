package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// reason says why a path gives up when it goes from n to next: n could have
// come back, next can't.
func (lw *lossWalk) reason(n, next *pathNode) (LossBy, bool) {
	if !n.comesBack || next.comesBack {
		return 0, false
	}
	cond := n.condition()
	switch {
	case n.ranges():
		return LossByBound, true
	case n.selects():
		// The cases are a chain of blocks; next is a case's body or the rest.
		for b := n.block; len(b.Succs) == 2 && b.Succs[0].Kind == cfg.KindSelectCaseBody; b = b.Succs[1] {
			if next.block != n.block.Succs[0] && b == n.block {
				continue // another case
			}
			if lw.receivesDone(b.Succs[0]) {
				return LossByContext, true
			}
			if next.block == b.Succs[0] && lw.receivesTime(b.Succs[0]) {
				return LossByTimer, true
			}
			if next.block == n.block.Succs[0] {
				break
			}
		}
		return LossByStop, true
	case cond == nil:
		return LossByStop, true
	case lw.asksContext(cond), lw.waitEnded(cond):
		return LossByContext, true
	case lw.f.counts(lw.s, cond):
		return LossByBound, true
	case n.outcome:
		return LossByOutcome, true
	case lw.s.once != nil && contains(lw.s.once, cond):
		return LossByOnce, true
	case lw.f.looksAtClock(lw.w.g, cond).IsValid(), lw.asksByNumber(cond):
		return LossByBound, true
	}
	return LossByStop, true
}

// asksByNumber says whether a condition is about what something answers that is
// told the number of the attempt: delay, ok := policy.Next(attempt); !ok.
func (lw *lossWalk) asksByNumber(cond ast.Expr) (found bool) {
	told := func(call *ast.CallExpr) bool {
		return slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return lw.f.counts(lw.s, a) })
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || told(n)
		case *ast.Ident:
			v, ok := lw.f.info.ObjectOf(n).(*types.Var)
			if !ok || v.IsField() || isError(v.Type()) {
				return true
			}
			for _, a := range lw.f.valuesOf(lw.s.Func, v) {
				call, ok := a.expr.(*ast.CallExpr)
				found = found || ok && contains(lw.s.Node, call) && call != lw.s.Op().Call && told(call)
			}
		}
		return !found
	})
	return found
}

// caseChannel is the channel that a case of a select receives from, nil if it
// does not receive.
func caseChannel(b *cfg.Block) ast.Expr {
	clause, ok := b.Stmt.(*ast.CommClause)
	if !ok || clause.Comm == nil {
		return nil
	}
	return received(clause.Comm)
}

// receivesDone says whether a case receives from a context's Done channel.
func (lw *lossWalk) receivesDone(b *cfg.Block) bool {
	ch := caseChannel(b)
	if v := varOf(lw.f.info, ch); v != nil && !v.IsField() && isDoneChannel(v.Type()) {
		ch = lw.f.singleValue(lw.s.Func, v) // done := ctx.Done()
	}
	call, ok := ast.Unparen(ch).(*ast.CallExpr)
	if !ok {
		return false
	}
	c := calleeOf(lw.f.info, call)
	return c != nil && c.Name() == "Done"
}

// receivesTime says whether a case receives from a timer that was set before the
// loop, for all of the attempts.
func (lw *lossWalk) receivesTime(b *cfg.Block) bool {
	ch := caseChannel(b)
	_, timer := lw.f.timerChannel(ch)
	return timer && !lw.f.madeIn(lw.w.g, lw.l, ch)
}

func (lw *lossWalk) asksContext(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isContextErr(calleeOf(lw.f.info, call)) {
			found = true
		}
		return !found
	})
	return found
}

// waitEnded says whether a condition asks a pause whether a context has ended it:
// if serr := sleep(ctx, delay); serr != nil.
func (lw *lossWalk) waitEnded(cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ && b.Op != token.EQL || !lw.f.info.Types[b.Y].IsNil() || !isError(lw.f.info.TypeOf(b.X)) {
		return false
	}
	interrupted := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || call == lw.s.Op().Call || !takesContext(lw.f.info, call) {
			return false
		}
		w, _ := lw.f.callWait(lw.w.g.fn, call, false)
		return w != nil && w.Interruptible
	}
	v := varOf(lw.f.info, b.X)
	if v == nil {
		return interrupted(b.X)
	}
	vals := lw.f.valuesOf(lw.w.g.fn, v)
	return v != lw.s.Op().Err && len(vals) > 0 && !slices.ContainsFunc(vals, func(a assigned) bool { return a.expr == nil || !interrupted(a.expr) })
}
