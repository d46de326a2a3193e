package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// helperWait reads a call of a function of the package as a pause.
func (f *finder) helperWait(target *Func, callee *types.Func, call *ast.CallExpr, isOp bool) *Wait {
	var s *pause
	if isOp {
		s = f.ownPause(target) // a loop in it is a site of its own
	} else if s = f.pauses(target, 0); s != nil && f.reachBody(target, 0) == ReachRemote {
		// What the things that it calls pause is a part of them. A pause of its
		// own comes between the attempts, like one that stands in the loop.
		if s = f.ownPause(target); s != nil && s.interruptible {
			s = nil // a limiter's, as a rule
		}
	}
	if s == nil {
		return nil
	}
	return f.pauseWait(s, callee, call)
}

// pauseWait is the pause that the function makes which a call runs.
func (f *finder) pauseWait(p *pause, callee *types.Func, call *ast.CallExpr) *Wait {
	w := &Wait{How: WaitHelper, Node: call, Helper: callee, HelperPos: p.pos, Interruptible: p.interruptible, made: p}
	if p.param >= 0 && p.param < len(call.Args) {
		f.setDuration(w, call.Args[p.param])
	}
	return w
}

// A pause is what a function is known to do about waiting.
type pause struct {
	pos           token.Pos
	interruptible bool
	param         int // index of the parameter that says how long, -1
	inLoop        bool
	fn            *Func
	duration      ast.Expr // how long, there
	inner         *pause   // the one that is made by call, where the duration is not known here
	call          *ast.CallExpr
}

func (p *pause) outsideLoops() *pause {
	if p == nil || p.inLoop {
		return nil
	}
	return p
}

// ownPause is how a function of the package waits by itself, or by a helper that
// does nothing but that, outside of its loops; nil if it doesn't.
func (f *finder) ownPause(fn *Func) *pause {
	if p, ok := f.pauseIn[fn]; ok {
		return p
	}
	f.pauseIn[fn] = nil // a literal may call itself
	p := f.scanPauses(fn, maxDepth).outsideLoops()
	if p == nil {
		p = f.helperPause(fn)
	}
	f.pauseIn[fn] = p
	return p
}

// helperPause is the pause that a function makes by the call of another one of the
// package, which pauses by itself and goes nowhere, outside of its loops; nil if it
// makes none.
func (f *finder) helperPause(fn *Func) (found *pause) {
	if fn.Body() == nil {
		return nil
	}
	var aside []ast.Node // what runs there is no pause of this function, or one that is made again and again
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.ForStmt, *ast.RangeStmt:
			aside = append(aside, n)
		case *ast.CallExpr:
			target := f.res.FuncOf(calleeOf(f.info, n))
			if found != nil || target == nil || target == fn || slices.ContainsFunc(aside, func(a ast.Node) bool { return contains(a, n) }) {
				return
			}
			if p := f.ownPause(target); p != nil && f.reachBody(target, 0) != ReachRemote {
				found = &pause{pos: n.Pos(), interruptible: p.interruptible, param: -1, fn: fn, inner: p, call: n}
			}
		}
	})
	return found
}

// pauses says how a function of the package waits; nil if it doesn't. One
// uninterruptible wait that no guard excuses makes the function
// uninterruptible.
func (f *finder) pauses(fn *Func, depth int) *pause {
	if fn == nil || fn.Body() == nil || depth > maxDepth {
		return nil
	}
	if p, ok := f.pauseOf[fn]; ok {
		return p
	}
	f.pauseOf[fn] = nil // for recursion
	p := f.scanPauses(fn, depth)
	f.pauseOf[fn] = p
	return p
}

// scanPauses looks for the pauses in one function, and in those of the package
// that it calls as long as depth is under maxDepth.
func (f *finder) scanPauses(fn *Func, depth int) *pause {
	if fn.Body() == nil {
		return nil
	}
	var found *pause
	add := func(p *pause) {
		if found == nil || found.interruptible && !p.interruptible {
			found = p
		}
	}
	var loops, others []ast.Node // others: what runs there isn't a pause of this function
	inspectOwn(fn.Body(), func(n ast.Node) {
		for _, o := range others {
			if o.Pos() <= n.Pos() && n.Pos() < o.End() {
				return
			}
		}
		inLoop := false
		for _, l := range loops {
			inLoop = inLoop || l.Pos() <= n.Pos() && n.Pos() < l.End()
		}
		w := (*Wait)(nil)
		var inner *pause
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, n)
		case *ast.GoStmt, *ast.DeferStmt:
			others = append(others, n)
		case *ast.SelectStmt:
			if w, _ = f.selectWait(n, staysHere); w != nil && f.limitsAnswer(fn, n) {
				w = nil
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && f.selectOf(fn, n) == nil && !f.inComm(fn, n) {
				w = f.receiveWait(fn, n)
			}
		case *ast.CallExpr:
			callee := calleeOf(f.info, n)
			if fullName(callee) == "time.Sleep" {
				w, _ = f.callWait(fn, n, false)
				break
			}
			if target := f.res.FuncOf(callee); target != nil && target != fn {
				if p := f.pauses(target, depth+1); p != nil && f.reachBody(target, 0) != ReachRemote {
					w, inner = &Wait{Node: n, Interruptible: p.interruptible}, p
					if p.param >= 0 && p.param < len(n.Args) {
						w.Duration = n.Args[p.param]
					}
					inLoop = inLoop || p.inLoop
				}
			} else if target == nil {
				w, _ = f.callWait(fn, n, false)
			}
		}
		if w == nil {
			return
		}
		p := &pause{pos: w.Node.Pos(), interruptible: w.Interruptible || f.guarded(fn, w.Node), param: -1, inLoop: inLoop, fn: fn}
		if w.Duration != nil {
			p.duration = w.Duration
			if v, ok := objectOf(f.info, w.Duration).(*types.Var); ok {
				p.param = f.paramIndex(fn, v)
			}
		} else if inner != nil {
			p.inner, p.call = inner, w.Node.(*ast.CallExpr)
		}
		add(p)
	})
	return found
}
