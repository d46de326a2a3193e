package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// askedPolicy is the policy of a retry library that a call asks for its next
// delay, as in b.NextBackOff(); not ok if nothing is known of how b was made.
func (f *finder) askedPolicy(call *ast.CallExpr) (p retrylib.Policy, ok bool) {
	if !retrylib.Imports(f.pass.Pkg) {
		return p, false
	}
	callee := calleeOf(f.info, call)
	sel, isSelector := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSelector || callee == nil || callee.Pkg() == f.pass.Pkg || callee.Signature().Recv() == nil || !isDuration(f.info.TypeOf(call)) {
		return p, false
	}
	switch callee.Name() {
	case "NextBackOff", "Next", "NextDelay", "Duration", "Pause", "BackoffDelay":
	default:
		return p, false // it may be asked for a setting
	}
	if f.libs == nil {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
	}
	p = f.libs.PolicyOf(sel.X)
	if p.Delay == retrylib.DelayUnknown {
		if given := f.givenOnce(sel.X); given != nil {
			p = f.libs.PolicyOf(given)
		}
	}
	return p, p.Delay != retrylib.DelayUnknown
}

// asked reads the delay that a library's policy answers with.
func (s *growthScan) asked(p retrylib.Policy, call *ast.CallExpr) (moves bool) {
	switch p.Jitter {
	case retrylib.Yes:
		s.out.Jittered = Yes
	case retrylib.Unknown:
		s.unknown = true
	}
	if p.Delay != retrylib.DelayGrowing {
		return false
	}
	switch p.Cap.State {
	case retrylib.StateConst, retrylib.StateGiven:
		s.out.Capped = Yes
		if s.out.Kind < GrowthExponential {
			s.out.Kind, s.out.Node, s.out.Extern = GrowthExponential, call, calleeOf(s.f.info, call)
		}
	default:
		s.unknown = true // by which law it grows is not known
	}
	return true
}

// stopPolicy is the policy that a condition asks whether it is at its end, by a
// comparison of its delay with the library's Stop; not ok if it asks for none.
func (f *finder) stopPolicy(fn *Func, cond ast.Expr) (p retrylib.Policy, ok bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		b, isComparison := n.(*ast.BinaryExpr)
		if !isComparison || b.Op != token.EQL && b.Op != token.NEQ {
			return !ok
		}
		stop, isConst := objectOf(f.info, b.Y).(*types.Const)
		if !isConst || stop.Name() != "Stop" || stop.Pkg() == f.pass.Pkg || !isDuration(stop.Type()) {
			return !ok
		}
		e := ast.Unparen(b.X)
		if v, isVar := objectOf(f.info, e).(*types.Var); isVar {
			if vals := f.valuesOf(fn, v); len(vals) == 1 && vals[0].expr != nil {
				e = ast.Unparen(vals[0].expr)
			}
		}
		if call, isCall := e.(*ast.CallExpr); isCall {
			p, ok = f.askedPolicy(call)
		}
		return !ok
	})
	return p, ok
}

// stopBound is the bound that asking a policy whether it is at its end puts on
// the attempts of l; not ok if l asks for none.
func (f *finder) stopBound(g *graph, l *loop) (a Attempts, ok bool) {
	for _, cond := range loopConditions(l) {
		p, asks := f.stopPolicy(g.fn, cond)
		if !asks {
			continue
		}
		switch p.Attempts.State {
		case retrylib.StateConst:
			return Attempts{Kind: BoundConst, Max: p.Attempts.N, Expr: p.Attempts.Expr, Pos: cond.Pos()}, true
		case retrylib.StateGiven:
			return Attempts{Kind: BoundVar, Expr: p.Attempts.Expr, Pos: cond.Pos()}, true
		}
	}
	return a, false
}

// stopTime is the bound on the time of l by such a policy.
func (f *finder) stopTime(g *graph, l *loop) (t TimeBound, ok bool) {
	for _, cond := range loopConditions(l) {
		p, asks := f.stopPolicy(g.fn, cond)
		if !asks {
			continue
		}
		switch p.Deadline.State {
		case retrylib.StateConst:
			return TimeBound{Kind: BoundConst, How: TimeElapsed, Max: p.Deadline.D, Pos: cond.Pos()}, true
		case retrylib.StateGiven:
			return TimeBound{Kind: BoundVar, How: TimeElapsed, Pos: cond.Pos()}, true
		}
	}
	return t, false
}

// neverStops says whether a condition asks a policy without an end whether it
// is at it.
func (f *finder) neverStops(fn *Func, cond ast.Expr) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	p, ok := f.stopPolicy(fn, cond)
	return ok && p.Attempts.State == retrylib.StateNone && p.Deadline.State == retrylib.StateNone && p.Context.Given == retrylib.No
}
