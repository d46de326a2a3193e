package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// attemptBound finds what limits the number of rounds of a loop: a comparison
// of a counter, the loop's own range, or a question to an iterator or policy.
func (f *finder) attemptBound(g *graph, l *loop) Attempts {
	if r, ok := l.node.(*ast.RangeStmt); ok {
		a := Attempts{Kind: BoundVar, Expr: r.X, Pos: r.X.Pos(), MayBeZero: true}
		if id, ok := r.Key.(*ast.Ident); ok {
			a.Counter, _ = f.info.ObjectOf(id).(*types.Var)
		}
		if n, ok := f.constInt(r.X); ok {
			a.Kind, a.Max, a.MayBeZero = BoundConst, n, n <= 0
		} else if t := f.info.TypeOf(r.X); t != nil {
			if arr, ok := t.Underlying().(*types.Array); ok {
				a.Kind, a.Max, a.MayBeZero = BoundConst, arr.Len(), false
			}
			if _, ok := t.Underlying().(*types.Chan); ok {
				a = Attempts{Kind: BoundOther, Expr: r.X, Pos: r.X.Pos()}
			}
			if _, ok := t.Underlying().(*types.Signature); ok {
				a = Attempts{Kind: BoundOther, Expr: r.X, Pos: r.X.Pos()}
			}
		}
		return a
	}
	counters := f.counters(g, l)
	var best Attempts
	for _, cond := range loopConditions(l) {
		ast.Inspect(cond, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false
			}
			b, ok := n.(*ast.BinaryExpr)
			if !ok {
				return true
			}
			switch b.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			default:
				return true
			}
			if a, ok := f.counterBound(l, cond, b, counters); ok && (best.Kind == BoundUnknown || best.Kind > a.Kind) {
				best = a
			}
			return true
		})
	}
	if best.Kind == BoundUnknown {
		best = f.keptBound(l, counters)
	}
	if best.Kind == BoundUnknown {
		if a, ok := f.stopBound(g, l); ok {
			return a
		}
		if fs, ok := l.node.(*ast.ForStmt); ok && fs.Cond != nil && f.asksPolicy(fs.Cond) {
			return Attempts{Kind: BoundOther, Expr: fs.Cond, Pos: fs.Cond.Pos(), MayBeZero: false}
		}
	}
	return best
}

// loopConditions are all conditions on which the blocks of l branch, in source
// order.
func loopConditions(l *loop) (conds []ast.Expr) {
	for b := range l.blocks {
		if len(b.Succs) == 2 && len(b.Nodes) > 0 {
			if e, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr); ok {
				conds = append(conds, e)
			}
		}
	}
	slices.SortFunc(conds, func(a, b ast.Expr) int { return int(a.Pos() - b.Pos()) })
	return conds
}

// A counter is a variable or field that a loop counts up or down.
type counter struct {
	up   bool
	init ast.Expr
	v    *types.Var
	at   token.Pos // of the change
	post bool      // the change is in the loop's post statement
}

// counters are what l counts.
func (f *finder) counters(g *graph, l *loop) map[ref]counter {
	m := make(map[ref]counter)
	// A counter that is also taken back still counts the way it is moved at the
	// end of each round, or upwards.
	set := func(r ref, c counter) {
		if old, ok := m[r]; !ok || !old.post && (c.post || c.up && !old.up) {
			m[r] = c
		}
	}
	for b := range l.blocks {
		for _, n := range b.Nodes {
			inspectOwn(n, func(n ast.Node) {
				if call, ok := n.(*ast.CallExpr); ok {
					for i := range call.Args {
						if counts, up := f.countedBy(call, i); counts {
							set(refOf(f.info, call.Args[i].(*ast.UnaryExpr).X), counter{up: up, at: call.Pos()})
						}
					}
				}
			})
			switch n := n.(type) {
			case *ast.IncDecStmt:
				set(refOf(f.info, n.X), counter{up: n.Tok == token.INC, at: n.Pos(), post: isPost(l, n)})
			case *ast.AssignStmt:
				if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
					if t := f.info.TypeOf(n.Lhs[0]); t != nil && isInteger(t) && types.TypeString(t, nil) != "time.Duration" {
						set(refOf(f.info, n.Lhs[0]), counter{up: n.Tok == token.ADD_ASSIGN, at: n.Pos(), post: isPost(l, n)})
					}
				}
				if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
					lhs := refOf(f.info, n.Lhs[0])
					switch rhs := ast.Unparen(n.Rhs[0]).(type) {
					case *ast.BinaryExpr: // n = n + 1
						if (rhs.Op == token.ADD || rhs.Op == token.SUB) && refOf(f.info, rhs.X) == lhs && lhs.root != nil {
							if t := f.info.TypeOf(n.Lhs[0]); t != nil && isInteger(t) && types.TypeString(t, nil) != "time.Duration" {
								set(lhs, counter{up: rhs.Op == token.ADD, at: n.Pos(), post: isPost(l, n)})
							}
						}
					case *ast.CallExpr: // errs = append(errs, err)
						if id, ok := ast.Unparen(rhs.Fun).(*ast.Ident); ok && id.Name == "append" {
							set(lhs, counter{up: true, at: n.Pos()})
						}
					}
				}
			}
		}
	}
	delete(m, ref{})
	for r, c := range m {
		v, ok := r.root.(*types.Var)
		if !ok || r.path != "" {
			continue
		}
		c.v = v
		for _, a := range f.valuesOf(g.fn, v) {
			if a.expr != nil && a.index < 0 && a.node.Pos() < l.node.End() {
				c.init = a.expr
			}
		}
		m[r] = c
	}
	f.remaining(l, m)
	return m
}

// remaining adds to what l counts what is left of it: left := max - attempt.
func (f *finder) remaining(l *loop, m map[ref]counter) {
	for b := range l.blocks {
		for _, n := range b.Nodes {
			as, ok := n.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || as.Tok != token.ASSIGN && as.Tok != token.DEFINE {
				continue
			}
			diff, ok := ast.Unparen(as.Rhs[0]).(*ast.BinaryExpr)
			left := refOf(f.info, as.Lhs[0])
			if v, isVar := left.root.(*types.Var); ok && isVar && diff.Op == token.SUB && m[left].v == nil {
				if c := m[refOf(f.info, diff.Y)]; c.v != nil && c.up {
					m[left] = counter{init: diff.X, v: v, at: c.at, post: c.post}
				}
			}
		}
	}
}

// counterBound reads a comparison as a bound on a counter.
func (f *finder) counterBound(l *loop, cond ast.Expr, b *ast.BinaryExpr, counters map[ref]counter) (Attempts, bool) {
	for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x, limit := pair[0], pair[1]
		c, extra, ok := f.counterIn(x, counters)
		if !ok {
			continue
		}
		op := b.Op
		if x == b.Y {
			op = flip(op)
		}
		n, isConst := f.constInt(limit)
		// Is it the first round, or does it go on? A comparison of an upward
		// counter with 0 says the former and bounds nothing.
		if c.up && isConst && n == 0 {
			continue
		}
		a := Attempts{Kind: BoundVar, Expr: limit, Counter: c.v, Pos: b.Pos()}
		var start int64
		startKnown := false
		if c.init != nil {
			start, startKnown = f.constInt(c.init)
		}
		head := isHead(l, cond)
		if !head && (c.post || c.at > b.Pos()) {
			// The round at hand is not counted yet.
			if c.up {
				extra--
			} else {
				extra++
			}
		}
		switch {
		case c.up && isConst && startKnown:
			a.Kind = BoundConst
			a.Max = n - start - extra
			if op == token.LEQ || op == token.GTR {
				a.Max++
			}
		case !c.up && isConst && startKnown: // counts down from a constant
			a.Kind = BoundConst
			a.Max = start - n + extra
			if op == token.GEQ || op == token.LSS {
				a.Max++
			}
			a.Expr = c.init
		case !c.up:
			a.Expr = c.init
		}
		a.MayBeZero = head && a.Kind == BoundVar
		return a, true
	}
	return Attempts{}, false
}

// counterIn finds a counter in x: i, i+1, len(errs), int(i).
func (f *finder) counterIn(x ast.Expr, counters map[ref]counter) (c counter, extra int64, ok bool) {
	switch e := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD || e.Op == token.SUB {
			c, extra, ok = f.counterIn(e.X, counters)
			if n, isConst := f.constInt(e.Y); ok && isConst {
				if e.Op == token.SUB {
					n = -n
				}
				return c, extra + n, true
			}
			return c, extra, ok
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			if tv := f.info.Types[e.Fun]; tv.IsType() || tv.IsBuiltin() {
				return f.counterIn(e.Args[0], counters)
			}
		}
	default:
		c, ok = counters[refOf(f.info, x)]
	}
	return c, extra, ok
}

// isPost says whether n is the post statement of l.
func isPost(l *loop, n ast.Node) bool {
	fs, ok := l.node.(*ast.ForStmt)
	return ok && fs.Post == n
}

func flip(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// isHead says whether a condition is the loop's own.
func isHead(l *loop, cond ast.Expr) bool {
	fs, ok := l.node.(*ast.ForStmt)
	return ok && fs.Cond != nil && fs.Cond.Pos() <= cond.Pos() && cond.End() <= fs.Cond.End()
}

func (f *finder) constInt(e ast.Expr) (int64, bool) {
	if tv := f.info.Types[e]; tv.Value != nil {
		if v := constant.ToInt(tv.Value); v.Kind() == constant.Int {
			return constant.Int64Val(v)
		}
	}
	return 0, false
}

// asksPolicy says whether a loop's condition asks something whether to go on:
// backoff.Ongoing(), policy.Next(), a func value.
func (f *finder) asksPolicy(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if tv := f.info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
			return true
		}
		if t := f.info.TypeOf(call); t != nil {
			if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
				found = true
			}
		}
		return true
	})
	return found
}

// timeBound finds what limits the time of a loop: a comparison of times or of
// elapsed time, a timer in a select that leaves, a context.
func (f *finder) timeBound(g *graph, l *loop) TimeBound {
	for _, cond := range loopConditions(l) {
		if pos := f.looksAtClock(g, cond); pos.IsValid() {
			return TimeBound{Kind: BoundVar, How: TimeElapsed, Pos: pos}
		}
	}
	if t, ok := f.stopTime(g, l); ok {
		return t
	}
	for b := range l.blocks {
		for _, n := range b.Nodes {
			sel := f.selectOf(g.fn, n)
			if sel == nil {
				continue
			}
			for _, c := range sel.Body.List {
				clause := c.(*ast.CommClause)
				if clause.Comm == nil {
					continue
				}
				ch := received(clause.Comm)
				if _, timer := f.timerChannel(ch); timer && !f.madeIn(g, l, ch) && (!f.ticks(ch) || g.leavesLoop(l, clause)) {
					return TimeBound{Kind: BoundVar, How: TimeElapsed, Pos: clause.Comm.Pos()}
				}
			}
		}
	}
	return TimeBound{}
}

// madeIn says whether a timer channel is made or set again within l, so that
// it bounds one round only.
func (f *finder) madeIn(g *graph, l *loop, ch ast.Expr) bool {
	if sel, ok := ast.Unparen(ch).(*ast.SelectorExpr); ok {
		ch = sel.X
	}
	v, ok := objectOf(f.info, ch).(*types.Var)
	if !ok || v.IsField() {
		return true
	}
	in := func(pos token.Pos) bool { return l.node.Pos() <= pos && pos < l.node.End() }
	for _, a := range f.valuesOf(g.fn, v) {
		if in(a.node.Pos()) {
			return true
		}
	}
	found := false
	ast.Inspect(l.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Reset" && objectOf(f.info, sel.X) == types.Object(v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// ticks says whether a channel is a ticker's, which fires again and again unless
// the first time ends it all.
func (f *finder) ticks(ch ast.Expr) bool {
	sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
	return ok && f.info.TypeOf(sel.X) != nil && types.TypeString(f.info.TypeOf(sel.X), nil) == "*time.Ticker"
}

// looksAtClock says whether a condition compares a time or an elapsed time.
func (f *finder) looksAtClock(g *graph, cond ast.Expr) (pos token.Pos) {
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			callee := calleeOf(f.info, n)
			switch fullName(callee) {
			case "time.Since", "time.Until", "time.Now", "(time.Time).After", "(time.Time).Before", "(time.Time).Sub", "(time.Time).Compare":
				pos = n.Pos()
			default:
				if callee != nil {
					name := strings.ToLower(callee.Name())
					for _, s := range []string{"elapsed", "deadline", "timeout", "timedout", "expired", "remaining"} {
						if strings.Contains(name, s) {
							pos = n.Pos()
						}
					}
				}
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
				for _, e := range []ast.Expr{n.X, n.Y} {
					if v, ok := objectOf(f.info, e).(*types.Var); ok && types.TypeString(v.Type(), nil) == "time.Duration" && f.fromClock(g, v) {
						pos = n.Pos()
					}
				}
			}
		case *ast.Ident:
			if v, ok := f.info.ObjectOf(n).(*types.Var); ok && f.fromClock(g, v) {
				pos = n.Pos()
			}
		}
		return !pos.IsValid()
	})
	return pos
}

// fromClock says whether a local variable is computed from the clock, or adds
// up what was waited.
func (f *finder) fromClock(g *graph, v *types.Var) bool {
	for _, a := range f.valuesOf(g.fn, v) {
		if a.expr == nil {
			if as, ok := a.node.(*ast.AssignStmt); ok && as.Tok == token.ADD_ASSIGN && types.TypeString(v.Type(), nil) == "time.Duration" {
				return true
			}
			continue
		}
		found := false
		ast.Inspect(a.expr, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				switch fullName(calleeOf(f.info, call)) {
				case "time.Since", "time.Now", "time.Until":
					found = true
				}
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
