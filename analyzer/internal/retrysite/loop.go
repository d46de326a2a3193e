package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// searchLoops adds the sites among the loops of fn. Those of literals in it
// are left out: they are functions of their own.
func (f *finder) searchLoops(fn *Func) {
	if !f.mayRetry(fn) {
		return
	}
	g := f.newGraph(fn)
	done := make(map[*ast.CallExpr]bool) // operations that have their site
	for _, l := range g.loops {
		ops := f.candidates(g, l, done)
		if s := f.loopSite(g, l, ops); s != nil {
			for _, c := range ops {
				// What only goes on when it went well belongs to a loop around
				// this one if its failure comes back there.
				done[c.call] = s.Shape == ShapeRetry || c.fail.repeats && !c.inRound(l)
			}
			if s.Shape == ShapeRetry {
				f.res.Sites = append(f.res.Sites, s)
			} else {
				f.res.Others = append(f.res.Others, s)
			}
		}
	}
}

// inRound says whether the loop goes through a list for one that works: when
// none does, a loop around it may begin with the first once more.
func (c *candidate) inRound(l *loop) bool {
	_, ranges := l.node.(*ast.RangeStmt)
	return ranges && c.motion == moves && !c.success.repeats && c.success.exits && c.fail.exits
}

// mayRetry says whether fn has, in a loop, a call that can fail.
func (f *finder) mayRetry(fn *Func) bool {
	return fn.loop.IsValid() && slices.ContainsFunc(fn.calls, func(call *ast.CallExpr) bool {
		return call.Pos() > fn.loop && (errorIndex(f.info, call) >= 0 || f.answersOtherwise(fn, call))
	})
}

// loopSite makes the site of l from the candidates in it, nil if there is
// none.
func (f *finder) loopSite(g *graph, l *loop, ops []*candidate) *Site {
	if len(ops) == 0 {
		return nil
	}
	best := ops[0]
	for _, c := range ops[1:] {
		if c.better(best) {
			best = c
		}
	}
	shape := f.shape(g, l, best)
	if shape != ShapeRetry {
		// A step whose success always leaves and whose failure comes back is a
		// retry, whatever the answer to a later step is waited for.
		for _, c := range ops {
			if c.plain() && f.shape(g, l, c) == ShapeRetry && (shape != ShapeRetry || c.better(best)) {
				best, shape = c, ShapeRetry
			}
		}
	}
	if perItem(l, best, ops) {
		shape = ShapeWorker
	}
	if best.staysIn(l) && slices.ContainsFunc(ops, func(c *candidate) bool { return c.success.repeatsBlind && c.reach == ReachRemote }) {
		shape = ShapeWorker
	}
	s := &Site{
		Kind:     KindLoop,
		Shape:    shape,
		Node:     l.node,
		Func:     g.fn,
		Body:     l.body(),
		BackEdge: l.backEdge(),
	}
	if _, ok := l.node.(*ast.FuncDecl); ok {
		s.Kind = KindRecursion
	}
	s.Ops = []*Operation{f.operation(g.fn, best)}
	for _, c := range ops {
		if c != best && f.shape(g, l, c) == shape {
			s.Ops = append(s.Ops, f.operation(g.fn, c))
		}
	}
	var back []ast.Node
	for n := range best.fail.back {
		back = append(back, n)
	}
	if !best.fail.repeats || shape == ShapeRetry && best.success.repeats {
		for n := range best.success.back { // a status may lead back another way than an error does
			if !best.fail.back[n] {
				back = append(back, n)
			}
		}
	}
	slices.SortFunc(back, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
	s.Waits, s.WaitUnknown = f.waits(g.fn, back, best.call, func(c *ast.CommClause) bool { return g.leavesLoop(l, c) })
	s.Waits = slices.DeleteFunc(s.Waits, func(w *Wait) bool {
		aside := g.aside(l, w.Node, ops)
		s.WaitUnknown = s.WaitUnknown || aside
		return aside
	})
	s.Inspections = f.inspections(s.Func, best)
	s.InspectionUnknown = f.tellsPolicy(l, best, back)
	s.CancelChecks = f.cancelChecks(g.fn, back, s.Waits)
	s.Attempts = f.attemptBound(g, l)
	if best.resumes || best.reset != nil && s.Attempts.Counter == best.reset {
		s.Attempts = Attempts{Kind: BoundNone} // what is counted is not the attempts
	}
	if s.Attempts.Kind == BoundUnknown {
		s.Attempts, s.once = f.onlyOnce(g, l, best)
	}
	s.Time = f.timeBound(g, l)
	f.setContext(s, l, best)
	s.Defers = defersIn(l)
	s.Repeats = best.fail.repeats
	s.Elsewhere = best.motion == picks
	if !f.forFacts {
		f.details(s, g, l, best)
		f.leaks(s, best, ops)
		if s.Leak == nil && shape == ShapeRetry {
			f.leakInside(s)
		}
	} else if runsParam(s) {
		f.exits(s, newPaths(best.fail))
	}
	if shape == ShapeWorker {
		s.Requeued = slices.ContainsFunc(ops, func(c *candidate) bool { return f.requeued(g, l, c) })
	}
	return s
}

// perItem says whether a loop goes through a list for the one that works, and an
// operation that has nothing to do with the items is a step on the way there: it
// fails, and the next item's turn comes.
func perItem(l *loop, best *candidate, ops []*candidate) bool {
	if _, ranges := l.node.(*ast.RangeStmt); !ranges || best.motion == moves {
		return false
	}
	return slices.ContainsFunc(ops, func(c *candidate) bool {
		return c != best && c.motion == moves && c.success.exits && c.call.Pos() > best.call.Pos()
	})
}

// operation describes a candidate.
func (f *finder) operation(fn *Func, c *candidate) *Operation {
	in, proper := f.proper(fn, c.call)
	op := &Operation{
		Call: c.call, Callee: calleeOf(f.info, c.call), Name: callName(proper), Reach: c.reach, ParamIndex: -1,
		ContextArg: f.contextArg(in, proper),
	}
	if v, ok := objectOf(f.info, c.call.Fun).(*types.Var); ok && !v.IsField() {
		if owner := f.paramOf(fn, v); owner != nil {
			op.Param = v
			if owner.Decl != nil {
				op.ParamIndex = f.paramIndex(owner, v)
			}
		}
	}
	p := c.fail.g.at[c.call]
	if as, ok := p.block.Nodes[p.index].(*ast.AssignStmt); ok && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(c.call) {
		op.Results = make([]*types.Var, len(as.Lhs))
		for i, l := range as.Lhs {
			op.Results[i], _ = objectOf(f.info, l).(*types.Var)
			if i == c.fail.err {
				op.Err = op.Results[i]
			}
		}
	}
	return op
}

// proper is the one call by which a literal that is called where it stands leaves
// the process, with the literal; for any other call, that one.
func (f *finder) proper(fn *Func, call *ast.CallExpr) (*Func, *ast.CallExpr) {
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	if !ok || f.lits[lit] == nil {
		return fn, call
	}
	var inner *ast.CallExpr
	for _, c := range f.lits[lit].calls {
		if errorIndex(f.info, c) >= 0 && f.reach(f.lits[lit], c, 0) == ReachRemote {
			if inner != nil {
				return fn, call
			}
			inner = c
		}
	}
	if inner == nil {
		return fn, call
	}
	return f.lits[lit], inner
}

// callName is how a message calls a function: at most the last two names.
func callName(call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) { // a generic function's arguments, or a list's index, say little
	case *ast.IndexExpr:
		fun = ast.Unparen(e.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(e.X)
	}
	switch e := fun.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		switch x := ast.Unparen(e.X).(type) {
		case *ast.Ident:
			return x.Name + "." + e.Sel.Name
		case *ast.SelectorExpr:
			return x.Sel.Name + "." + e.Sel.Name
		}
		return e.Sel.Name
	case *ast.FuncLit:
		return "the function"
	}
	return "the call"
}

// bareName is the name of a function without what it is called on.
func bareName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// defersIn are the defer statements that run in each round of l.
func defersIn(l *loop) (list []*ast.DeferStmt) {
	for b := range l.blocks {
		for _, n := range b.Nodes {
			if d, ok := n.(*ast.DeferStmt); ok {
				list = append(list, d)
			}
		}
	}
	slices.SortFunc(list, func(a, b *ast.DeferStmt) int { return int(a.Pos() - b.Pos()) })
	return list
}
