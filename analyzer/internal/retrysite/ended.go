package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"
)

// EndedContext says what a site does when its context has ended, so that the
// operation fails with the context's error.
type EndedContext struct {
	// Repeats says that the operation is run again all the same: there is a way
	// back on which nothing looks at the context or at its error, and nothing
	// that could be told apart from it.
	Repeats bool
	// Compared is a comparison with the context's error that leads back, nil if
	// there is none.
	Compared ast.Expr
}

// endedContext walks from the operation with the error of an ended context.
func (f *finder) endedContext(s *Site, g *graph, l *loop, c *candidate) {
	if s.Op().ContextArg == nil && s.Op().Reach != ReachParam && s.Context.Origin != ContextRequest {
		return
	}
	canceled, deadline := f.contextError("Canceled"), f.contextError("DeadlineExceeded")
	sentinels := []*types.Var{canceled, deadline}
	if canceled == nil {
		// Without the package nothing is compared with its errors: any will do.
		if len(s.CancelChecks) > 0 {
			return
		}
		sentinels = []*types.Var{types.NewVar(token.NoPos, nil, "Canceled", types.Universe.Lookup("error").Type())}
	}
	for _, sentinel := range sentinels {
		w := &walk{info: f.info, g: g, l: l, op: c.call, err: c.fail.err, fail: true, ended: sentinel}
		w.run()
		if w.gaveUp || !w.repeatsBlind || f.consultsContext(w, c.call) {
			continue
		}
		compared := w.comparedEnded()
		if compared == nil && !s.Attempts.Bounded() && !s.OtherExit {
			// A server's own deadline may be over too: what is counted may try again.
			compared = w.comparedCode()
		}
		if sentinel == deadline {
			// A deadline of the attempt's own says nothing about the caller's.
			if compared == nil || s.Time.PerAttempt {
				continue
			}
		}
		s.Ended.Repeats = true
		s.Ended.Compared = compared
	}
}

func (f *finder) contextError(name string) *types.Var {
	for _, p := range f.pass.Pkg.Imports() {
		if p.Path() == "context" {
			v, _ := p.Scope().Lookup(name).(*types.Var)
			return v
		}
	}
	return nil
}

// evalEnded is what is known of an expression when the error is that of an
// ended context; not ok where that says nothing.
func (w *walk) evalEnded(st state, e ast.Expr) (v value, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if e == w.op {
			return value{}, false
		}
		callee := calleeOf(w.info, e)
		if fullName(callee) == "errors.Is" && len(e.Args) == 2 && w.mentions(st, e.Args[0]) {
			if o, isVar := objectOf(w.info, e.Args[1]).(*types.Var); isVar && isPackageLevel(o) {
				return value{is: boolValue(o == w.ended)}, true
			}
			return value{}, false
		}
		if isContextErr(callee) {
			return value{is: isSet, outcome: true}, true
		}
		if takesContext(w.info, e) && !buildsOnContext(callee) {
			// A helper that waits for, or asks, the context.
			if errorIndex(w.info, e) == 0 {
				return value{is: isSet, outcome: true}, true
			}
			return value{outcome: true}, true
		}
	case *ast.BinaryExpr:
		if e.Op != token.EQL && e.Op != token.NEQ {
			return value{}, false
		}
		if is := w.endedCode(st, e); is != isUnknown {
			return value{is: is}, true
		}
		for _, p := range [2][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
			if isError(w.info.TypeOf(p[0])) && w.mentions(st, p[0]) && w.sentinel(p[1]) {
				eq := objectOf(w.info, p[1]) == w.ended
				return value{is: boolValue(eq == (e.Op == token.EQL))}, true
			}
		}
	}
	return value{}, false
}

// takesContext says whether a call is handed a context, or the channel that a
// context closes.
func takesContext(info *types.Info, call *ast.CallExpr) bool {
	for _, a := range call.Args {
		if t := info.TypeOf(a); t != nil && isContext(t) {
			return true
		}
		done, ok := ast.Unparen(a).(*ast.CallExpr)
		if !ok {
			continue
		}
		if callee := calleeOf(info, done); callee != nil && callee.Name() == "Done" && isDoneChannel(info.TypeOf(done)) {
			return true
		}
	}
	return false
}

// waitsOnContext says whether a select statement has another case that is
// ready once a context has ended, so that this one is not waited for.
func (w *walk) waitsOnContext(b *cfg.Block) (found bool) {
	clause, ok := b.Stmt.(*ast.CommClause)
	if !ok || clause.Comm == nil || w.stopCase(clause) {
		return false
	}
	inspectOwn(w.g.fn.Body(), func(n ast.Node) {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || clause.Pos() < sel.Pos() || clause.End() > sel.End() {
			return
		}
		mine, stops := false, false
		for _, c := range sel.Body.List {
			c := c.(*ast.CommClause)
			mine = mine || c == clause
			stops = stops || w.stopCase(c)
		}
		found = found || mine && stops
	})
	return found
}

// endsAtOnce says whether a case is the one that a select statement with a
// default takes once a context has ended.
func (w *walk) endsAtOnce(b *cfg.Block) (found bool) {
	clause, ok := b.Stmt.(*ast.CommClause)
	if !ok || clause.Comm == nil || !w.stopCase(clause) {
		return false
	}
	inspectOwn(w.g.fn.Body(), func(n ast.Node) {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || len(sel.Body.List) != 2 {
			return
		}
		mine, other := sel.Body.List[0].(*ast.CommClause), sel.Body.List[1].(*ast.CommClause)
		if other == clause {
			mine, other = other, mine
		}
		found = found || mine == clause && other.Comm == nil
	})
	return found
}

// stopCase says whether a case receives from a channel that carries nothing.
func (w *walk) stopCase(c *ast.CommClause) bool {
	if c.Comm == nil {
		return false
	}
	ch := received(c.Comm)
	if ch == nil {
		return false
	}
	t := w.info.TypeOf(ch)
	return t != nil && isDoneChannel(t)
}

// consultsContext says whether something on the way back, other than the
// operation, is given the context and answers with several values, which the
// walk doesn't follow.
func (f *finder) consultsContext(w *walk, op *ast.CallExpr) (found bool) {
	for n := range w.back {
		inspectOwn(n, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || call == op || buildsOnContext(calleeOf(f.info, call)) {
				return
			}
			if _, many := f.info.TypeOf(call).(*types.Tuple); many && takesContext(f.info, call) && errorIndex(f.info, call) > 0 && call != w.op && !f.sameCallee(call, op) {
				found = true
			}
		})
	}
	return found
}

// buildsOnContext says whether a function only attaches a context to what it
// makes.
func buildsOnContext(fn *types.Func) bool {
	return fn != nil && (fullName(fn) == "net/http.NewRequestWithContext" || pkgPath(fn) == "context")
}

func (f *finder) sameCallee(a, b *ast.CallExpr) bool {
	c := calleeOf(f.info, a)
	return c != nil && c == calleeOf(f.info, b)
}

// comparedEnded is a comparison with the error of the context on the way back.
func (w *walk) comparedEnded() (found ast.Expr) {
	for n := range w.back {
		inspectOwn(n, func(n ast.Node) {
			var y ast.Expr
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op != token.EQL {
					return
				}
				y = n.Y
			case *ast.CallExpr:
				if fullName(calleeOf(w.info, n)) != "errors.Is" || len(n.Args) != 2 {
					return
				}
				y = n.Args[1]
			default:
				return
			}
			if objectOf(w.info, y) == w.ended && (found == nil || n.Pos() < found.Pos()) {
				found = n.(ast.Expr)
			}
		})
	}
	return found
}
