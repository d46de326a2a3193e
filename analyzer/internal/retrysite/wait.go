package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// waits lists the pauses among nodes that lie on the way back to op, and says
// whether something there may pause that could not be followed.
// Leaves says whether a case of a select leads out of what repeats.
func (f *finder) waits(fn *Func, nodes []ast.Node, op *ast.CallExpr, leaves func(*ast.CommClause) bool) (ws []*Wait, unknown bool) {
	seen := make(map[ast.Node]bool)
	add := func(w *Wait) {
		if w != nil && !seen[w.Node] {
			seen[w.Node] = true
			if op != nil && w.Pos() <= op.Pos() { // a wait within the operation comes before its attempt
				w.Position = WaitBeforeOp
			} else {
				w.Position = WaitAfterOp
			}
			ws = append(ws, w)
		}
	}
	for _, n := range nodes {
		if sel := f.selectOf(fn, n); sel != nil {
			w, limited := f.selectWait(sel, leaves)
			add(w)
			unknown = unknown || limited && f.awaitsAnswer(fn, sel, op)
			continue
		}
		inspectOwn(n, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.UnaryExpr:
				if n.Op == token.ARROW {
					add(f.receiveWait(fn, n))
				}
			case *ast.RangeStmt:
			case *ast.CallExpr:
				w, unk := f.callWait(fn, n, n == op)
				add(w)
				unknown = unknown || unk
			}
		})
	}
	// A sleep beside an interruptible wait, in a function that asks whether
	// there is a context at all, is made only where there is none.
	if slices.ContainsFunc(ws, func(w *Wait) bool { return w.Interruptible }) && f.asksForContext(fn.Body()) {
		for _, w := range ws {
			w.Interruptible = true
		}
	}
	return ws, unknown
}

// timerChannel says whether a channel yields times: a timer, and for how long
// where that is written beside it.
func (f *finder) timerChannel(ch ast.Expr) (duration ast.Expr, ok bool) {
	if ch == nil {
		return nil, false
	}
	t := f.info.TypeOf(ch)
	if t == nil {
		return nil, false
	}
	c, isChan := t.Underlying().(*types.Chan)
	if !isChan || types.TypeString(c.Elem(), nil) != "time.Time" {
		return nil, false
	}
	switch e := ast.Unparen(ch).(type) {
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			return e.Args[0], true
		}
	case *ast.SelectorExpr: // t.C
		if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok && len(call.Args) > 0 {
			return call.Args[0], true
		}
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			return f.timerDuration(id), true
		}
	}
	return nil, true
}

// timerDuration is the argument with which the timer in a variable was set
// last in source: by Reset, else where it was made.
func (f *finder) timerDuration(id *ast.Ident) (d ast.Expr) {
	v, ok := f.info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	for _, m := range f.assigns {
		for _, a := range m[v] {
			if call, ok := a.expr.(*ast.CallExpr); ok && len(call.Args) > 0 {
				d = call.Args[0]
			}
		}
	}
	for fn := range f.assigns {
		if fn.Body().Pos() > v.Pos() || v.Pos() >= fn.Body().End() {
			continue
		}
		ast.Inspect(fn.Body(), func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Reset" && objectOf(f.info, sel.X) == types.Object(v) {
				d = call.Args[0]
			}
			return true
		})
	}
	return d
}

// receiveWait reads a receive outside a select as a pause.
func (f *finder) receiveWait(fn *Func, e *ast.UnaryExpr) *Wait {
	d, ok := f.timerChannel(e.X)
	if !ok || f.drains(fn, e) {
		return nil
	}
	w := &Wait{How: WaitTimer, Node: e}
	if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok && fullName(calleeOf(f.info, call)) == "time.After" {
		w.How = WaitAfter
	}
	f.setDuration(w, d)
	return w
}

// drains says whether a receive takes out of a timer's channel what was put into
// it before the timer was stopped, which is no wait:
//
//	if !timer.Stop() {
//		<-timer.C
//	}
func (f *finder) drains(fn *Func, e *ast.UnaryExpr) bool {
	ch, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	timer := refOf(f.info, ch.X)
	if f.firesAtOnce(fn, timer, e) {
		return true
	}
	for _, n := range enclosingPath(fn.Body(), e) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || timer.root == nil || !contains(branch.Body, e) {
			continue
		}
		not, ok := ast.Unparen(branch.Cond).(*ast.UnaryExpr)
		if !ok || not.Op != token.NOT {
			continue
		}
		if call, ok := ast.Unparen(not.X).(*ast.CallExpr); ok {
			stop, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && stop.Sel.Name == "Stop" && refOf(f.info, stop.X) == timer {
				return true
			}
		}
	}
	return false
}

// firesAtOnce says whether a timer was made with no time to wait, and not set to
// one before a receive.
func (f *finder) firesAtOnce(fn *Func, timer ref, e *ast.UnaryExpr) bool {
	v, ok := timer.root.(*types.Var)
	if !ok || timer.path != "" || f.selectOf(fn, e) != nil {
		return false
	}
	vals := f.valuesOf(fn, v)
	if len(vals) != 1 || vals[0].expr == nil {
		return false
	}
	made, ok := ast.Unparen(vals[0].expr).(*ast.CallExpr)
	if !ok || fullName(calleeOf(f.info, made)) != "time.NewTimer" || !isZero(f.info, made.Args[0]) {
		return false
	}
	var loop ast.Node // which comes to the receive again after what follows it there
	for _, n := range enclosingPath(fn.Body(), e) {
		if loopBody(n) != nil && loop == nil {
			loop = n
		}
	}
	set := false
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && (call.Pos() < e.Pos() || loop != nil && contains(loop, call)) {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			set = set || ok && sel.Sel.Name == "Reset" && objectOf(f.info, sel.X) == types.Object(v)
		}
		return !set
	})
	return !set
}

func (f *finder) setDuration(w *Wait, d ast.Expr) {
	w.Duration = d
	if d == nil {
		return
	}
	if tv := f.info.Types[d]; tv.Value != nil {
		if n, ok := constant.Int64Val(constant.ToInt(tv.Value)); ok {
			w.Const, w.HasConst = time.Duration(n), true
		}
	}
}

// callWait reads a call as a pause. A call of the operation counts only by
// what its callee pauses outside any loop of its own.
func (f *finder) callWait(fn *Func, call *ast.CallExpr, isOp bool) (w *Wait, unknown bool) {
	if tv, ok := f.info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return nil, false
	}
	if w := f.libraryWait(call); w != nil {
		return w, false
	}
	callee := calleeOf(f.info, call)
	if fullName(callee) == "time.Sleep" {
		w = &Wait{How: WaitSleep, Node: call}
		f.setDuration(w, call.Args[0])
		return w, false
	}
	if callee == nil {
		if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
			w := f.helperWait(f.lits[lit], nil, call, isOp)
			return w, w == nil && !isOp && f.pauses(f.lits[lit], 0) != nil
		}
		v, ok := objectOf(f.info, call.Fun).(*types.Var)
		if !ok {
			return nil, !isOp && f.oneOfList(fn, call)
		}
		if lit := f.literalOf(fn, v); lit != nil {
			w := f.helperWait(lit, nil, call, isOp)
			return w, w == nil && !isOp && f.pauses(lit, 0) != nil
		}
		if w := f.strategyWait(fn, v, call); w != nil {
			return w, false
		}
		w, unknown := f.namedWait(v.Name(), nil, call)
		return w, unknown || w == nil && !isOp && (f.handedIn(call) || f.oneOfList(fn, call))
	}
	if target := f.res.FuncOf(callee); target != nil {
		w := f.helperWait(target, callee, call, isOp)
		return w, w == nil && !isOp && (f.givenBackoff(call) || f.pauses(target, 0) != nil)
	}
	if isOp {
		return nil, false
	}
	if only := f.onlyImplementation(callee); only != nil && f.reachBody(only, 0) != ReachRemote {
		if p := f.pauses(only, 0); p != nil {
			return f.pauseWait(p, callee, call), false
		}
	}
	if s := f.sleeper(callee); s != nil {
		w = &Wait{How: WaitHelper, Node: call, Helper: callee, Interruptible: !s.Blind}
		if s.Duration >= 0 && s.Duration < len(call.Args) {
			f.setDuration(w, call.Args[s.Duration])
		}
		return w, false
	}
	return f.namedWait(callee.Name(), callee, call)
}

// givenBackoff says whether a call is handed a delay by that name, so that it
// may well be what waits, by means that can't be seen: a timer of the package's
// own.
func (f *finder) givenBackoff(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		o := objectOf(f.info, a)
		return o != nil && isDuration(o.Type()) && backoffName(o.Name())
	})
}

// strategyWait reads a call of a func value that a retry library made as a
// pause, when the library says that it sleeps without a context.
func (f *finder) strategyWait(fn *Func, v *types.Var, call *ast.CallExpr) *Wait {
	made, ok := f.singleValue(fn, v).(*ast.CallExpr)
	if !ok || retrylib.Lookup(calleeOf(f.info, made)) == nil {
		return nil
	}
	if f.libs == nil {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
	}
	if f.libs.PolicyOf(made).Interruptible() != retrylib.No {
		return nil
	}
	return &Wait{How: WaitHelper, Node: call}
}

// namedWait reads a call whose callee can't be seen: by the signature that
// sleeping functions share.
func (f *finder) namedWait(name string, callee *types.Func, call *ast.CallExpr) (*Wait, bool) {
	if callee != nil && callee.Pkg() != nil {
		switch p := callee.Pkg().Path(); {
		case p == "sync", p == "os", p == "os/exec", p == "golang.org/x/sync/errgroup", strings.HasPrefix(p, "log"):
			return nil, false
		}
	}
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return nil, false
	}
	takesContext, takesDuration := false, -1
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		takesContext = takesContext || isContext(t)
		if takesDuration < 0 && types.TypeString(t, nil) == "time.Duration" {
			takesDuration = i
		}
	}
	lower := strings.ToLower(name)
	kind := lower
	if n, ok := types.Unalias(f.info.TypeOf(call.Fun)).(*types.Named); ok {
		kind += " " + strings.ToLower(n.Obj().Name()) // a Sleeper, by whatever name it was handed in
	}
	waits := false
	for _, s := range []string{"sleep", "wait", "pause", "backoff", "delay", "throttle"} {
		waits = waits || strings.Contains(kind, s)
	}
	if !waits {
		return nil, false
	}
	w := &Wait{How: WaitHelper, Node: call, Helper: callee}
	if takesDuration >= 0 && takesDuration < len(call.Args) {
		f.setDuration(w, call.Args[takesDuration])
	}
	switch {
	case takesContext:
		w.Interruptible = true
		return w, false
	case lower == "sleep" && sig.Params().Len() == 1 && sig.Results().Len() == 0 && (takesDuration == 0 || isInteger(deref(sig.Params().At(0).Type()))):
		return w, false // a clock's Sleep(d), or a library's by a number of seconds
	case sig.Results().Len() == 0 || returnsErrorOrBool(sig):
		return nil, true
	}
	return nil, false // computes a delay
}

// handedIn says whether a func value takes a context and says whether to go on:
// whoever hands it in may wait in it.
func (f *finder) handedIn(call *ast.CallExpr) bool {
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	return ok && sig.Params().Len() > 0 && isContext(sig.Params().At(0).Type()) && returnsErrorOrBool(sig)
}

// oneOfList says whether a call is of one of a list of functions, which say one
// after the other whether to go on: each of them may wait before it does.
func (f *finder) oneOfList(fn *Func, call *ast.CallExpr) bool {
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() == 0 || !returnsErrorOrBool(sig) {
		return false
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.IndexExpr); ok {
		return true
	}
	v := varOf(f.info, call.Fun)
	return v != nil && slices.ContainsFunc(f.valuesOf(fn, v), func(a assigned) bool {
		_, ranges := a.node.(*ast.RangeStmt)
		return ranges
	})
}

func returnsErrorOrBool(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	t := sig.Results().At(0).Type()
	b, ok := t.Underlying().(*types.Basic)
	return isError(t) || ok && b.Kind() == types.Bool
}

// guarded says whether a wait is reached only where there is no context that
// could end it: in the branch of an if that compares a context, or its Done
// channel, with nil.
func (f *finder) guarded(fn *Func, n ast.Node) (found bool) {
	ast.Inspect(fn.Body(), func(m ast.Node) bool {
		ifs, ok := m.(*ast.IfStmt)
		found = found || ok && ifs.Pos() <= n.Pos() && n.End() <= ifs.End() && f.asksForContext(ifs.Cond)
		return !found
	})
	return found
}

// asksForContext says whether anything in n compares a context, or its Done
// channel, with nil.
func (f *finder) asksForContext(n ast.Node) (found bool) {
	inspectOwn(n, func(n ast.Node) {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			for _, side := range []ast.Expr{b.X, b.Y} {
				if t := f.info.TypeOf(side); t != nil && (isContext(t) || isDoneChannel(t)) {
					found = true
				}
			}
		}
	})
	return found
}

func isDoneChannel(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := c.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}
