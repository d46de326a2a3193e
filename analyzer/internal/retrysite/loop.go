package retrysite

import (
	"go/ast"
	"go/types"
	"strings"
)

// searchLoops adds the sites among the loops of fn. Those of literals in it
// are left out: they are functions of their own.
func (f *finder) searchLoops(fn *Func) {
	if !f.mayRetry(fn) {
		return
	}
	g := newGraph(f.info, fn)
	done := make(map[*ast.CallExpr]bool) // operations that have their site
	for _, l := range g.loops {
		var ops []*candidate
		for call, at := range g.at {
			if l.blocks[at.block] && !done[call] {
				if c := f.candidate(g, l, call); c != nil {
					ops = append(ops, c)
				}
			}
		}
		if s := f.loopSite(g, l, ops); s != nil {
			for _, c := range ops {
				done[c.call] = true
			}
			if s.Shape == ShapeRetry {
				f.res.Sites = append(f.res.Sites, s)
			} else {
				f.res.Others = append(f.res.Others, s)
			}
		}
	}
}

// mayRetry says whether fn has, in a loop, a call that can fail.
func (f *finder) mayRetry(fn *Func) (found bool) {
	loops := false
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			loops = true
		case *ast.CallExpr:
			found = found || loops && errorIndex(f.info, n) >= 0
		}
	})
	return found
}

// A candidate is a call whose failure comes back to it.
type candidate struct {
	call          *ast.CallExpr
	reach         Reach
	motion        motion
	fail, success *walk
}

// candidate walks from call and says whether its failure drives the loop.
func (f *finder) candidate(g *graph, l *loop, call *ast.CallExpr) *candidate {
	ei := errorIndex(f.info, call)
	if ei < 0 {
		return nil
	}
	if tv, ok := f.info.Types[call.Fun]; ok && tv.IsType() {
		return nil
	}
	callee := calleeOf(f.info, call)
	if f.handlesError(callee, call) {
		return nil
	}
	reach := f.reach(g.fn, call, 0)
	if reach == ReachLocal {
		return nil
	}
	c := &candidate{call: call, reach: reach}
	c.fail = &walk{info: f.info, g: g, l: l, op: call, err: ei, fail: true}
	c.fail.run()
	if !c.fail.repeats || c.fail.gaveUp {
		return nil
	}
	c.success = &walk{info: f.info, g: g, l: l, op: call, err: ei}
	c.success.run()
	if c.success.gaveUp {
		return nil
	}
	c.motion = f.target(g, l, call)
	return c
}

// handlesError says whether a call makes, wraps, reads or reports an error
// rather than being what failed.
func (f *finder) handlesError(callee *types.Func, call *ast.CallExpr) bool {
	if callee == nil {
		return false
	}
	if isContextErr(callee) || wraps(callee) {
		return true
	}
	if callee.Pkg() != nil {
		switch callee.Pkg().Path() {
		case "errors", "fmt", "log", "log/slog":
			return true
		}
	}
	switch callee.Name() {
	case "Close", "Err", "Error", "Unwrap", "Cause":
		return true
	}
	for _, a := range call.Args { // it is given an error: a wrapper or a handler
		if isError(f.info.TypeOf(a)) {
			return true
		}
	}
	return false
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
	s := &Site{
		Kind:     KindLoop,
		Shape:    shape,
		Node:     l.node,
		Func:     g.fn,
		Body:     l.body(),
		BackEdge: l.backEdge(),
	}
	s.Ops = []*Operation{{Call: best.call, Callee: calleeOf(f.info, best.call), Name: types.ExprString(best.call.Fun), Reach: best.reach, ParamIndex: -1}}
	return s
}

// better says which of two candidates is the operation proper.
func (c *candidate) better(d *candidate) bool {
	if a, b := c.rank(), d.rank(); a != b {
		return a < b
	}
	return c.call.Pos() > d.call.Pos()
}

func (c *candidate) rank() int {
	r := 0
	if c.success.repeatsBlind {
		r += 8
	}
	if c.motion == moves {
		r += 4
	}
	if c.reach == ReachUnknown {
		r += 2
	}
	return r
}

// shape says what the loop is for.
func (f *finder) shape(g *graph, l *loop, c *candidate) Shape {
	switch {
	case !c.success.exits || c.success.repeatsBlind:
		return ShapeWorker
	case c.motion == moves:
		return ShapeWorker
	case c.success.repeats && !f.repeatsOnStatus(c.success):
		return ShapePoll
	case c.reach == ReachUnknown:
		return ShapePoll
	}
	return ShapeRetry
}

// repeatsOnStatus says whether success comes back only where a look at a
// status, a code, an error or a retry flag says that it was none.
func (f *finder) repeatsOnStatus(w *walk) bool {
	for _, l := range w.looks {
		if l.repeats && l.exits && !f.looksAtStatus(l.expr) {
			return false
		}
	}
	return true
}

func (f *finder) looksAtStatus(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		name := strings.ToLower(id.Name)
		for _, s := range []string{"status", "code", "err", "retry", "temporary", "transient"} {
			found = found || strings.Contains(name, s)
		}
		return true
	})
	return found
}
