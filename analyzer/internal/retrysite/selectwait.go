package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// selectOf is the select statement of which n is a communication.
func (f *finder) selectOf(fn *Func, n ast.Node) *ast.SelectStmt {
	if f.comms[fn] == nil {
		m := make(map[ast.Node]*ast.SelectStmt)
		ast.Inspect(fn.Body(), func(n ast.Node) bool { // with the literals, which a recursion may lead through
			if sel, ok := n.(*ast.SelectStmt); ok {
				for _, c := range sel.Body.List {
					switch comm := c.(*ast.CommClause).Comm.(type) {
					case nil:
					case *ast.ExprStmt:
						// The graph shows the statement or its expression.
						m[comm], m[comm.X] = sel, sel
					default:
						m[comm] = sel
					}
				}
			}
			return true
		})
		f.comms[fn] = m
	}
	return f.comms[fn][n]
}

// selectWait reads a select statement as a pause; nil if it is none. A timer
// whose case leads out of what repeats limits the wait for something else.
func (f *finder) selectWait(sel *ast.SelectStmt, leaves func(*ast.CommClause) bool) (w *Wait, limited bool) {
	w = &Wait{How: WaitSelect, Node: sel}
	timer := false
	for _, c := range sel.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case nil:
			return nil, false // with a default it doesn't wait
		case *ast.SendStmt:
			w.Interruptible = true
		default:
			ch := received(comm)
			d, isTimer := f.timerChannel(ch)
			switch {
			case isTimer && leaves(c.(*ast.CommClause)):
				limited = true
			case isTimer:
				timer = true
				f.setDuration(w, d)
			default:
				w.Interruptible = true
			}
		}
	}
	if !timer {
		return nil, limited
	}
	return w, false
}

// awaitsAnswer says whether a select receives from a channel that the operation
// gave: then it lasts as long as the other side takes to answer.
func (f *finder) awaitsAnswer(fn *Func, sel *ast.SelectStmt, op *ast.CallExpr) bool {
	for _, c := range sel.Body.List {
		ch := received(c.(*ast.CommClause).Comm)
		v, ok := objectOf(f.info, ch).(*types.Var)
		if !ok {
			continue
		}
		for _, a := range f.valuesOf(fn, v) {
			if a.expr == ast.Expr(op) {
				return true
			}
		}
	}
	return false
}

// limitsAnswer says whether a select receives from a channel that its function
// makes, as an attempt that runs in a goroutine of its own answers by one: the
// timer beside it limits how long that may take.
func (f *finder) limitsAnswer(fn *Func, sel *ast.SelectStmt) bool {
	for _, c := range sel.Body.List {
		v, ok := objectOf(f.info, received(c.(*ast.CommClause).Comm)).(*types.Var)
		if !ok || v.IsField() || isDoneChannel(v.Type()) {
			continue
		}
		made, ok := f.singleValue(fn, v).(*ast.CallExpr)
		if !ok {
			continue
		}
		if b, ok := objectOf(f.info, made.Fun).(*types.Builtin); ok && b.Name() == "make" {
			return true
		}
	}
	return false
}

// staysHere is for a select of which it is not known what repeats it.
func staysHere(*ast.CommClause) bool { return false }

// givesUp says whether a case of a select leaves the function for good, without
// a look at the operation.
func givesUp(clause *ast.CommClause, op *ast.CallExpr) bool {
	if len(clause.Body) == 0 || contains(clause, op) {
		return false
	}
	_, returns := clause.Body[len(clause.Body)-1].(*ast.ReturnStmt)
	for _, stmt := range clause.Body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if _, branches := n.(*ast.BranchStmt); branches {
				returns = false
			}
			return returns
		})
	}
	return returns
}

// leavesLoop says whether no way leads from a case of a select back to the head
// of l: it returns, breaks, or goes on behind the loop.
func (g *graph) leavesLoop(l *loop, clause *ast.CommClause) bool {
	for b := range l.blocks {
		if b.Kind == cfg.KindSelectCaseBody && b.Stmt == ast.Stmt(clause) {
			return false
		}
	}
	return true
}

// received is the channel from which a communication clause receives.
func received(comm ast.Stmt) ast.Expr {
	var e ast.Expr
	switch s := comm.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		e = s.Rhs[0]
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
}

// inComm says whether a receive is the communication of a select.
func (f *finder) inComm(fn *Func, e ast.Expr) bool {
	f.selectOf(fn, e)
	for n := range f.comms[fn] {
		if n.Pos() <= e.Pos() && e.End() <= n.End() {
			return true
		}
	}
	return false
}
