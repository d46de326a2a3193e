package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// details fills in what only some checks ask for. It runs for loops that have
// turned out to be sites or to look like them.
func (f *finder) details(s *Site, g *graph, l *loop, c *candidate) {
	p := newPaths(c.fail)
	s.Blind, s.Wide = c.fail.repeatsBlind, c.fail.repeatsWide
	for _, w := range []*walk{c.fail, c.success} {
		if w.repeats && len(w.nodes) > 0 {
			s.walks = append(s.walks, w)
		}
	}
	f.waitGrowth(s)
	f.afterLast(s, p)
	if c.success.repeats {
		f.afterLast(s, newPaths(c.success)) // the answer may say that it failed
	}
	if c.fail.repeats {
		f.exits(s, p)
	} else {
		f.exits(s, newPaths(c.success)) // the answer says that it failed
	}
	s.Untold = f.untold(s)
	s.Mended = f.mended(s, g, c)
	f.undone(s, c)
	f.endedContext(s, g, l, c)
	f.deferred(s, c)
	if s.Shape == ShapeRetry {
		f.losses(s, g, c)
	}
}

// paths are the ways that a walk found, with the ways on.
type paths struct {
	w     *walk
	succs map[*pathNode][]*pathNode
}

func newPaths(w *walk) *paths {
	p := &paths{w: w, succs: make(map[*pathNode][]*pathNode, len(w.nodes))}
	for _, n := range w.nodes {
		for _, pred := range n.preds {
			p.succs[pred] = append(p.succs[pred], n)
		}
	}
	return p
}

// condition is the expression on which a node branches, nil for a select or a
// range.
func (n *pathNode) condition() ast.Expr {
	b := n.block
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return nil
	}
	switch b.Succs[0].Kind {
	case cfg.KindSelectCaseBody, cfg.KindRangeBody:
		return nil
	}
	e, _ := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	return e
}

// selects says whether a node chooses a case of a select.
func (n *pathNode) selects() bool {
	return len(n.block.Succs) == 2 && n.block.Succs[0].Kind == cfg.KindSelectCaseBody
}

// ranges says whether a node asks a range for its next round.
func (n *pathNode) ranges() bool {
	return len(n.block.Succs) == 2 && n.block.Succs[0].Kind == cfg.KindRangeBody
}

// counts says whether an expression mentions the counter of the site, or any
// variable that the loop counts.
func (f *finder) counts(s *Site, e ast.Expr) (found bool) {
	if e == nil {
		return false
	}
	scan := f.counterSet(s)
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if v := varOf(f.info, x); v != nil && scan[v] {
				found = true
			}
		}
		return !found
	})
	return found
}

// counterSet are the variables that a site's loop counts, its bound's counter
// included.
func (f *finder) counterSet(s *Site) map[*types.Var]bool {
	if s.counters == nil {
		s.counters = f.newGrowthScan(s.Func, s.Node, s.Attempts.Counter).counters
	}
	return s.counters
}

// waitGrowth says how the waits of a site grow.
func (f *finder) waitGrowth(s *Site) {
	for _, w := range s.Waits {
		scan := f.newGrowthScan(s.Func, s.Node, s.Attempts.Counter)
		call, _ := w.Node.(*ast.CallExpr)
		switch {
		case w.Duration != nil:
			scan.expr(w.Duration)
		case call != nil && w.made != nil && w.made.fn != s.Func:
			scan.madeInHelper(w.made, call)
		default:
			continue
		}
		g := scan.result()
		w.Growth = g
		switch g.Kind {
		case GrowthNone:
			w.Grows = No
		case GrowthLinear, GrowthExponential:
			w.Grows = Yes
		}
		w.Capped, w.Jittered = g.Capped, g.Jittered
		if g.Kind == GrowthExponential && g.Capped == No {
			w.Overflows = Yes
		}
	}
}

// afterLast finds the waits that are also made after the last attempt: a way
// from the operation through the wait to the bound that never asked the
// counter before it waited.
func (f *finder) afterLast(s *Site, p *paths) {
	if !s.Attempts.Bounded() || s.Attempts.Kind == BoundOther || f.countsInside(s) {
		return
	}
	f.lastTry(s)
	for _, w := range s.Waits {
		inspectOwn(s.Node, func(n ast.Node) {
			if st, ok := n.(*ast.ExprStmt); ok && ast.Node(ast.Unparen(st.X)) == w.Node {
				w.Statement = st
			}
		})
		if w.Position == WaitAfterOp && w.AfterLast != Yes {
			w.AfterLast = No
			if f.waitsAfterLast(s, p, w) {
				w.AfterLast = Yes
			}
		}
	}
}

// countsInside says whether the operation is a literal that asks the counter
// itself, so that it knows which attempt is the last.
func (f *finder) countsInside(s *Site) bool {
	lit, ok := ast.Unparen(s.Op().Call.Fun).(*ast.FuncLit)
	return ok && s.Attempts.Counter != nil && mentionsVar(f.info, lit, s.Attempts.Counter)
}

// lastTry says whether the operation is called once more behind the loop.
func (f *finder) lastTry(s *Site) {
	inspectOwn(s.Func.Body(), func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() >= s.End() && types.ExprString(call.Fun) == types.ExprString(s.Op().Call.Fun) {
			s.LastTry = true
		}
	})
}

func (f *finder) waitsAfterLast(s *Site, p *paths, w *Wait) bool {
	type where struct {
		n      *pathNode
		waited bool
	}
	if len(p.w.nodes) == 0 {
		return false
	}
	seen := make(map[where]bool)
	work := []where{{p.w.nodes[0], false}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		n := at.n
		waited := at.waited
		for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
			if x.Pos() <= w.Node.Pos() && w.Node.End() <= x.End() || w.Node.Pos() <= x.Pos() && x.End() <= w.Node.End() {
				waited = true
			}
		}
		cond := n.condition()
		if loop, ok := s.Node.(*ast.ForStmt); ok && cond == loop.Cond {
			cond = f.keptAnswer(loop, cond)
		}
		if n.repeat {
			continue
		}
		asks := cond != nil && (f.counts(s, cond) || s.Attempts.Expr != nil && contains(cond, s.Attempts.Expr))
		if (asks || n.ranges()) && f.leavesHere(p, n) {
			if waited {
				return true
			}
		}
		if asks && !waited && !f.asksForFirst(s, cond) && !p.w.asksTheSame(cond) && !f.notes(s, w, cond) {
			continue // a guard
		}
		for _, next := range p.succs[n] {
			work = append(work, where{next, waited})
		}
	}
	return false
}

// asksForFirst says whether all that a condition asks of a counter that goes up
// is whether this is the first round.
func (f *finder) asksForFirst(s *Site, cond ast.Expr) bool {
	loop, ok := s.Node.(*ast.ForStmt)
	if !ok {
		return false
	}
	if step, ok := loop.Post.(*ast.IncDecStmt); !ok || step.Tok != token.INC || varOf(f.info, step.X) != s.Attempts.Counter {
		return false
	}
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		return (f.asksForFirst(s, b.X) || !f.counts(s, b.X)) && (f.asksForFirst(s, b.Y) || !f.counts(s, b.Y))
	}
	first, isInt := constant.Int64Val(constant.ToInt(orUnknown(f.info.Types[b.Y].Value)))
	return varOf(f.info, b.X) == s.Attempts.Counter && isInt && first == 0
}

func orUnknown(v constant.Value) constant.Value {
	if v == nil {
		return constant.MakeUnknown()
	}
	return v
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// leavesHere says whether one way from n leaves the loop while another comes
// back to the operation.
func (f *finder) leavesHere(p *paths, n *pathNode) bool {
	back, out := false, n.exit
	for _, next := range p.succs[n] {
		if next.comesBack {
			back = true
		} else {
			out = true
		}
	}
	return back && out
}

// exits says what, other than the error itself, can end the repetition.
func (f *finder) exits(s *Site, p *paths) {
	s.Endless = true
	for _, n := range p.w.nodes {
		s.Endless = s.Endless && !n.exit
		if !n.comesBack || !f.leavesHere(p, n) {
			continue
		}
		cond := n.condition()
		switch {
		case n.selects(), n.ranges(), cond == nil && len(n.block.Succs) == 2:
			s.OtherExit = true
		case cond != nil && f.neverStops(s.Func, cond):
		case cond != nil && n.outcome && f.beside(cond, n.parts):
			s.OtherExit = true
		case cond != nil && (!n.outcome || !f.judgesErrorAlone(s.Func, cond, make(map[*types.Var]bool))):
			s.OtherExit = true
			s.policyExit = s.policyExit || !n.outcome && f.leftToPolicy(s.Func, cond)
		}
	}
}

// beside says whether one of the alternatives of a condition is about something
// other than the outcome: delay > longest || status != busy.
func (f *finder) beside(cond ast.Expr, parts []ast.Expr) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return f.beside(b.X, parts) || f.beside(b.Y, parts)
	} else if ok && f.isNilCheck(b) && isError(f.info.TypeOf(b.X)) {
		return false
	}
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p ast.Expr) bool { return contains(cond, p) || contains(p, cond) })
}

// leftToPolicy says whether a condition asks something other than a context or a
// clock, by a method, whether to go on: b.Next() == stop.
func (f *finder) leftToPolicy(fn *Func, cond ast.Expr) (found bool) {
	asks := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return false
		}
		callee := calleeOf(f.info, call)
		if callee == nil || callee.Signature().Recv() == nil {
			return false
		}
		recv := callee.Signature().Recv().Type()
		return !isContext(recv) && pkgPath(callee) != "time" && !implementsError(recv)
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || asks(n)
		case *ast.Ident:
			if v, ok := f.info.ObjectOf(n).(*types.Var); ok && !v.IsField() {
				found = found || slices.ContainsFunc(f.valuesOf(fn, v), func(a assigned) bool { return a.expr != nil && asks(a.expr) })
			}
		}
		return !found
	})
	return found
}

// undone finds where a loop takes its counter back after a failure.
func (f *finder) undone(s *Site, c *candidate) {
	up := false
	inspectOwn(s.Node, func(n ast.Node) {
		if d, ok := n.(*ast.IncDecStmt); ok && d.Tok == token.INC && varOf(f.info, d.X) == s.Attempts.Counter {
			up = true
		}
	})
	if s.Attempts.Counter == nil || !up {
		return
	}
	for n := range c.fail.back {
		if d, ok := n.(*ast.IncDecStmt); ok && d.Tok == token.DEC && varOf(f.info, d.X) == s.Attempts.Counter {
			s.Undone = d.Pos()
		}
	}
}

// judgesErrorAlone says whether the answer of a condition on the outcome
// depends on the outcome only: no method of something that may keep count, no
// variable that the function does not own. seen are the kept answers that were
// looked at: they may be made of each other.
func (f *finder) judgesErrorAlone(fn *Func, cond ast.Expr, seen map[*types.Var]bool) bool {
	alone := true
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			// An answer that was kept: retry, delay := policy(err).
			v, ok := f.info.ObjectOf(n).(*types.Var)
			if !ok || seen[v] {
				return true
			}
			seen[v] = true
			for _, a := range f.valuesOf(fn, v) {
				call, ok := a.expr.(*ast.CallExpr)
				switch {
				case !ok || contains(cond, call):
				case f.givenErrorWithin(fn, call):
					alone = alone && f.judgesErrorAlone(fn, call, seen)
				case isBool(v.Type()) && errorIndex(f.info, call) >= 0:
					alone = false // who made the attempt says whether to make another, and may count them
				}
			}
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
				return true
			}
			callee := calleeOf(f.info, n)
			if callee == nil {
				alone = false
				return false
			}
			if recv := callee.Signature().Recv(); recv != nil {
				if implementsError(recv.Type()) || named(recv.Type(), "regexp", "Regexp") || named(recv.Type(), "google.golang.org/grpc/status", "Status") || named(recv.Type(), "google.golang.org/grpc/internal/status", "Status") || named(recv.Type(), "net/http", "Response") {
					return true
				}
				alone = false
				return false
			}
			for _, a := range n.Args {
				if t := f.info.TypeOf(a); t != nil && (isContext(t) || isInteger(t) || t.String() == "time.Time") && f.info.Types[a].Value == nil {
					alone = alone && isInteger(t) && !f.isCounterLike(fn, a)
				}
			}
		}
		return alone
	})
	return alone
}

// givenErrorWithin says whether a call is given an error, by itself or as a part of
// what it is given: decide(Failure{Code: status.Code(err)}).
func (f *finder) givenErrorWithin(fn *Func, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		if f.mentionsError(a) {
			return true
		}
		v := varOf(f.info, a)
		return v != nil && slices.ContainsFunc(f.valuesOf(fn, v), func(a assigned) bool {
			lit, ok := a.expr.(*ast.CompositeLit)
			return ok && f.mentionsError(lit)
		})
	})
}

// mentionsError says whether an error is a part of an expression.
func (f *finder) mentionsError(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, isVar := f.info.ObjectOf(id).(*types.Var)
			found = found || isVar && isError(v.Type()) && !v.IsField()
		}
		return !found
	})
	return found
}

// isCounterLike says whether an argument is a variable that the function counts,
// or one with the name of a delay.
func (f *finder) isCounterLike(fn *Func, e ast.Expr) bool {
	v := varOf(f.info, e)
	if v == nil {
		return false
	}
	return backoffName(v.Name()) || slices.ContainsFunc(f.valuesOf(fn, v), func(a assigned) bool { return a.expr == nil })
}

func named(t types.Type, path, name string) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

// deferred keeps the defer statements that lie on a way back to the operation.
func (f *finder) deferred(s *Site, c *candidate) {
	kept := s.Defers[:0:0]
	for _, d := range s.Defers {
		if c.fail.back[d] || c.success.repeats && c.success.back[d] {
			kept = append(kept, d)
		}
	}
	s.Defers = kept
}
