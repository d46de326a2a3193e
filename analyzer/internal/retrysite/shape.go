package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// shape says what the loop is for.
func (f *finder) shape(g *graph, l *loop, c *candidate) Shape {
	switch {
	case c.resumes && c.motion == stays && c.reach == ReachRemote:
		return ShapeRetry
	case !c.success.exits || c.success.repeatsBlind:
		return ShapeWorker
	case calleeOf(f.info, c.call) != nil && (receives(calleeOf(f.info, c.call).Name()) || c.success.repeats && strings.HasPrefix(calleeOf(f.info, c.call).Name(), "next")):
		return ShapeWorker // what comes next is what the other side sends next, or another piece
	case f.takesNext(c), f.takesItems(l, c):
		return ShapeWorker
	case c.motion == moves, c.motion == picks && !f.countsTries(g, l) && !f.roundAndRound(g, l, c):
		return ShapeWorker
	case f.isCondition(c):
		if c.fail.repeats {
			return ShapeRetry // what it answers beside the error says whether to go on
		}
		return ShapePoll
	case !c.fail.repeats && !f.repeatsOn(c.success, false, f.failureStatus(c)):
		return ShapePoll
	case c.success.repeats && !f.repeatsOn(c.success, c.fail.repeats, f.looksAtFailure(g.fn)), f.waitsForPending(c.fail), f.waitsForPending(c.success):
		return ShapePoll
	case c.reach == ReachUnknown && !f.backsOff(g, l, c), f.repeatsOnErrno(c.fail):
		return ShapePoll
	}
	return ShapeRetry
}

// backsOff says whether the loop waits longer after each failure, as one does
// between attempts at what is far away, wherever the operation goes.
func (f *finder) backsOff(g *graph, l *loop, c *candidate) bool {
	if !c.fail.repeats || c.success.repeats || c.motion != stays || c.fail.err < 0 {
		return false
	}
	var back []ast.Node
	for n := range c.fail.back {
		back = append(back, n)
	}
	waits, _ := f.waits(g.fn, back, c.call, staysHere)
	return slices.ContainsFunc(waits, func(w *Wait) bool {
		if w.Duration == nil {
			return false
		}
		scan := f.newGrowthScan(g.fn, l.node)
		scan.expr(w.Duration)
		return scan.result().Kind == GrowthExponential
	})
}

// isCondition says whether a candidate is a condition that the caller hands in,
// as a func value that answers with a bool and an error.
func (f *finder) isCondition(c *candidate) bool {
	return c.reach == ReachParam && calleeOf(f.info, c.call) == nil && answersBool(f.info.TypeOf(c.call.Fun))
}

// answersBool says whether a func type has two results, a bool and an error.
func answersBool(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Results().Len() != 2 || !resultIsError(sig.Results().At(1).Type()) {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// countsTries says whether a loop is bounded by a number of attempts rather
// than by the length of a list, which it then goes through.
func (f *finder) countsTries(g *graph, l *loop) bool {
	a := f.attemptBound(g, l)
	if !a.Bounded() || a.Expr == nil {
		return a.Bounded()
	}
	return !f.asksLength(g.fn, a.Expr)
}

// roundAndRound says whether the target is the next of a list that begins anew,
// and nothing but the end of the list is counted.
func (f *finder) roundAndRound(g *graph, l *loop, c *candidate) bool {
	if !c.round {
		return false
	}
	a := f.attemptBound(g, l)
	return !a.Bounded() || c.reset != nil && a.Counter == c.reset
}

// repeatsOnErrno says whether failure comes back only where the error is one
// of the system's ways to say "once more": EINTR, EAGAIN, a name that is taken.
func (f *finder) repeatsOnErrno(w *walk) bool {
	for _, l := range w.looks {
		if l.stops && f.asksForErrno(w.g.fn, l, l.full) {
			return true
		}
	}
	return false
}

// asksForErrno says whether a look, or one of the conditions that it is put
// together from, leads back where the error is such an one.
func (f *finder) asksForErrno(fn *Func, l *look, e ast.Expr) bool {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return f.asksForErrno(fn, l, b.X) || f.asksForErrno(fn, l, b.Y)
	}
	in, ok := f.inspection(fn, e)
	if !ok || in.Sentinel == nil || in.How != InspectIs && in.How != InspectSentinel {
		return false
	}
	back := l.onYes
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.NEQ {
		back = l.onNo
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		back = l.onNo
	}
	switch name := in.Sentinel.Name(); name {
	case "EINTR", "EAGAIN", "EWOULDBLOCK", "EBUSY", "ETXTBSY", "ErrExist", "EEXIST", "EOF", "ErrBufferFull":
		return back
	default:
		// What is there already is another's, and what is not there may come.
		return back && (strings.HasSuffix(name, "Exists") || strings.HasSuffix(name, "AlreadyExist") ||
			strings.HasSuffix(name, "NotFound") || strings.HasSuffix(name, "NoRows"))
	}
}

// waitsForPending says whether the error that leads back is one that only says
// that the other side is not done yet (authorization_pending).
func (f *finder) waitsForPending(w *walk) (found bool) {
	for _, l := range w.looks {
		if !l.repeats {
			continue
		}
		if l.onYes && namesFailure(l.full) {
			return false // that one is not waited for
		}
		ast.Inspect(l.full, func(n ast.Node) bool {
			name := ""
			switch n := n.(type) {
			case *ast.Ident:
				name = n.Name
			case *ast.BasicLit:
				name = n.Value
			}
			if name != "" {
				name = strings.ToLower(name)
				found = found || strings.Contains(name, "pending") || strings.Contains(name, "inprogress") || strings.Contains(name, "notready")
			}
			return !found
		})
	}
	return found
}

// namesFailure says whether a condition asks for something that went wrong by its
// name, be it a sentinel or a code.
func namesFailure(cond ast.Expr) (found bool) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.CallExpr:
	case *ast.BinaryExpr:
		if e.Op != token.EQL {
			return false
		}
	default:
		return false
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name := strings.ToLower(id.Name)
			for _, s := range []string{"fail", "timeout", "unavailable", "refused", "throttl", "transient"} {
				found = found || strings.Contains(name, s)
			}
		}
		return !found
	})
	return found
}
