package retrysite

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// An attempt is what is known of the function that a library runs.
type attempt struct {
	ops               []*Operation
	inspections       []Inspection
	inspectionUnknown bool
	// polls says that the library is told of every operation's failure that it is
	// permanent, so that something else is waited for.
	polls bool
	// swallows says, for a condition (bool, error), that an operation's error
	// is answered with false and no error, so that it is tried again.
	swallows bool
}

// attemptOf reads the closure of a library call. Where its source is not at
// hand, the closure itself is the operation.
func (f *finder) attemptOf(s *Site, c retrylib.Call) (a attempt) {
	if s.Attempt == nil || s.Body == nil {
		a.ops = []*Operation{f.closureOperation(s, c)}
		a.inspectionUnknown = true
		a.swallows = true
		return a
	}
	fn := s.Attempt
	local := true
	inspectOwn(s.Body, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if op := f.attemptOperation(fn, call); op != nil {
			a.ops = append(a.ops, op)
			local = local && op.Reach == ReachLocal
		}
	})
	if len(a.ops) == 0 || local {
		return attempt{}
	}
	a.ops = slices.DeleteFunc(a.ops, func(o *Operation) bool { return o.Reach == ReachLocal })
	slices.SortStableFunc(a.ops, func(x, y *Operation) int {
		if d := opRank(x) - opRank(y); d != 0 {
			return d
		}
		return int(y.Pos() - x.Pos()) // the last one is the operation proper
	})
	f.lookAtFailure(&a, s, c)
	return a
}

func opRank(o *Operation) int {
	switch o.Reach {
	case ReachRemote:
		return 0
	case ReachParam:
		return 1
	}
	return 2
}

// closureOperation is the operation of a site whose closure has no source
// here: the func value itself.
func (f *finder) closureOperation(s *Site, c retrylib.Call) *Operation {
	op := &Operation{Call: c.Node, Name: "the function", Reach: ReachUnknown, ParamIndex: -1}
	if c.Closure == nil {
		return op
	}
	switch e := ast.Unparen(c.Closure).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		op.Name = callName(&ast.CallExpr{Fun: e})
	}
	switch obj := objectOf(f.info, c.Closure).(type) {
	case *types.Var:
		op.Reach = ReachParam
		if owner := f.paramOf(s.Func, obj); owner != nil {
			op.Param = obj
			if owner.Decl != nil {
				op.ParamIndex = f.paramIndex(owner, obj)
			}
		}
	case *types.Func:
		op.Callee = obj
		op.Reach = f.reachFunc(obj, 0)
	}
	return op
}

// attemptOperation describes a call in the closure that can fail and whose
// failure is not thrown away; nil for others.
func (f *finder) attemptOperation(fn *Func, call *ast.CallExpr) *Operation {
	ei := errorIndex(f.info, call)
	if ei < 0 {
		return nil
	}
	if tv, ok := f.info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return nil
	}
	callee := calleeOf(f.info, call)
	if f.handlesError(callee, call) || marker(retrylib.Lookup(callee)) {
		return nil
	}
	path := enclosingPath(fn.Body(), call)
	op := &Operation{
		Call: call, Callee: callee, Name: callName(call), Reach: f.reach(fn, call, 0), ParamIndex: -1,
		ContextArg: f.contextArg(fn, call),
	}
	for i := 1; i < len(path); i++ {
		switch p := path[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt:
			return nil // nobody looks
		case *ast.AssignStmt:
			if len(p.Rhs) != 1 || ei >= len(p.Lhs) {
				break
			}
			if id, ok := p.Lhs[ei].(*ast.Ident); ok && id.Name == "_" {
				return nil
			}
			op.Results = make([]*types.Var, len(p.Lhs))
			for j, l := range p.Lhs {
				op.Results[j], _ = objectOf(f.info, l).(*types.Var)
			}
			op.Err = op.Results[ei]
		}
		break
	}
	if v, ok := objectOf(f.info, call.Fun).(*types.Var); ok && !v.IsField() {
		if owner := f.paramOf(fn, v); owner != nil {
			op.Param = v
			if owner.Decl != nil {
				op.ParamIndex = f.paramIndex(owner, v)
			}
		}
	}
	return op
}

func marker(e *retrylib.Entry) bool {
	return e != nil && (e.Kind == retrylib.KindPermanent || e.Kind == retrylib.KindRetryable || e.Kind == retrylib.KindHint)
}

// lookAtFailure finds the looks at what failed in the closure, and in the
// functions of the package that it calls.
func (f *finder) lookAtFailure(a *attempt, s *Site, c retrylib.Call) {
	l := &closureLook{f: f, a: a, path: c.Entry.Path, seen: make(map[*Func]bool)}
	l.function(s.Attempt, 0)
	if c.Entry.Protocol == retrylib.ProtocolMarked && l.otherErrors {
		// Some failures are returned unmarked, which ends the retry.
		l.add(Inspection{How: InspectRetryable, Pos: s.Body.Pos(), Stops: true})
	}
	if c.Entry.Protocol == retrylib.ProtocolMarked && l.marked == 0 {
		a.ops = nil // nothing is marked as retryable: it runs once
		if l.unknown {
			a.inspectionUnknown = true
			a.ops = []*Operation{f.closureOperation(s, c)}
		}
	}
	if c.Entry.Protocol == retrylib.ProtocolBool {
		l.retryFlag(s.Attempt)
	}
	a.inspectionUnknown = a.inspectionUnknown || l.unknown
	a.swallows = f.swallows(s.Attempt, a.ops)
	f.forgetAnswers(a, s, c)
	if c.Entry.Protocol == retrylib.ProtocolError {
		a.polls = !slices.ContainsFunc(a.ops, func(op *Operation) bool { return !f.alwaysPermanent(s.Attempt, op) })
		if !a.polls {
			a.ops = slices.DeleteFunc(a.ops, func(op *Operation) bool { return f.alwaysPermanent(s.Attempt, op) })
		}
	}
	slices.SortFunc(a.inspections, func(x, y Inspection) int { return int(x.Pos - y.Pos) })
}

// closureLook collects the looks.
type closureLook struct {
	f    *finder
	a    *attempt
	path string // of the library
	seen map[*Func]bool

	marked      int  // errors marked as retryable
	otherErrors bool // errors returned without a mark
	unknown     bool
}

func (l *closureLook) add(in Inspection) { l.a.inspections = append(l.a.inspections, in) }

func (l *closureLook) function(fn *Func, depth int) {
	if fn == nil || fn.Body() == nil || l.seen[fn] || depth > 3 {
		return
	}
	l.seen[fn] = true
	f := l.f
	inspectOwn(fn.Body(), func(n ast.Node) {
		if depth > 0 {
			// Further down a condition decides whether there is a failure; only
			// a mark says what the library shall do about it.
			if call, ok := n.(*ast.CallExpr); ok {
				l.call(fn, call, depth)
			}
			return
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			l.condition(fn, n.Cond)
		case *ast.SwitchStmt:
			l.switched(fn, n)
		case *ast.TypeSwitchStmt:
			if x := switchOperand(n); x != nil && isError(f.info.TypeOf(x)) {
				l.add(Inspection{How: InspectType, Pos: n.Pos(), Expr: x, Stops: true})
			}
		case *ast.CallExpr:
			l.call(fn, n, depth)
		case *ast.ReturnStmt:
			l.returned(fn, n)
		}
	})
}

// condition is a look when it asks about an error or what an operation
// answered.
func (l *closureLook) condition(fn *Func, cond ast.Expr) {
	in, ok := l.f.inspection(fn, cond)
	if !ok || !l.aboutOutcome(fn, cond) {
		return
	}
	in.Stops = true
	l.add(in)
}

func (l *closureLook) switched(fn *Func, sw *ast.SwitchStmt) {
	if sw.Tag != nil && l.aboutOutcome(fn, sw.Tag) {
		l.add(Inspection{How: InspectStatus, Pos: sw.Pos(), Expr: sw.Tag, Stops: true})
		return
	}
	for _, c := range sw.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			l.condition(fn, e)
		}
	}
}

func switchOperand(ts *ast.TypeSwitchStmt) ast.Expr {
	switch a := ts.Assign.(type) {
	case *ast.AssignStmt:
		return a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return a.X.(*ast.TypeAssertExpr).X
	}
	return nil
}

// aboutOutcome says whether an expression uses an error, or a variable that
// takes a result of a call that can fail.
func (l *closureLook) aboutOutcome(fn *Func, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !found
		}
		v, ok := l.f.info.ObjectOf(id).(*types.Var)
		if !ok {
			return true
		}
		if isError(v.Type()) {
			found = true
			return false
		}
		for _, a := range l.f.valuesOf(fn, v) {
			if call, ok := a.expr.(*ast.CallExpr); ok && (errorIndex(l.f.info, call) >= 0 || takesErrors(l.f, call)) {
				found = true
			}
		}
		return !found
	})
	return found
}

func takesErrors(f *finder, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isError(f.info.TypeOf(a)) })
}

// call looks for markers, and into functions of the package.
func (l *closureLook) call(fn *Func, call *ast.CallExpr, depth int) {
	callee := calleeOf(l.f.info, call)
	if e := retrylib.Lookup(callee); e != nil {
		switch e.Kind {
		case retrylib.KindPermanent:
			l.add(Inspection{How: InspectPermanent, Pos: call.Pos(), Expr: call, Callee: callee, Stops: true})
		case retrylib.KindRetryable:
			l.marked++
		case retrylib.KindHint:
			l.add(Inspection{How: InspectLibrary, Pos: call.Pos(), Expr: call, Callee: callee, Stops: true})
		}
		return
	}
	if callee == nil {
		// A func value may be anything that the caller of this function hands
		// in, and that may know the library.
		if v, ok := objectOf(l.f.info, call.Fun).(*types.Var); ok {
			if lit := l.f.literalOf(fn, v); lit != nil {
				l.function(lit, depth+1)
			} else if errorIndex(l.f.info, call) >= 0 {
				l.unknown = true
			}
		}
		return
	}
	if target := l.f.res.FuncOf(callee); target != nil {
		l.function(target, depth+1)
		return
	}
	if errorIndex(l.f.info, call) < 0 || callee.Pkg() == nil {
		return
	}
	if recv := callee.Signature().Recv(); callee.Pkg() == l.f.pass.Pkg && recv != nil && types.IsInterface(recv.Type()) {
		// An interface of the package: its implementations may mark errors, if
		// they know the library.
		l.unknown = l.unknown || l.markersUsed()
		return
	}
	for _, imp := range callee.Pkg().Imports() {
		if imp.Path() == l.path {
			l.unknown = true // it may mark its errors itself
		}
	}
}

// markersUsed says whether anything in the package marks errors for the
// library.
func (l *closureLook) markersUsed() bool {
	for id, obj := range l.f.info.Uses {
		if fn, ok := obj.(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == l.path && id.Pos().IsValid() && marker(retrylib.Lookup(fn)) {
			return true
		}
	}
	return false
}

// returned notes errors that the closure returns without a mark.
func (l *closureLook) returned(fn *Func, ret *ast.ReturnStmt) {
	if len(ret.Results) == 0 {
		return
	}
	last := ast.Unparen(ret.Results[len(ret.Results)-1])
	if tv, ok := l.f.info.Types[last]; ok && tv.IsNil() || !isError(l.f.info.TypeOf(last)) {
		return
	}
	if call, ok := last.(*ast.CallExpr); ok {
		if e := retrylib.Lookup(calleeOf(l.f.info, call)); e != nil && e.Kind == retrylib.KindRetryable {
			return
		}
		if target := l.f.res.FuncOf(calleeOf(l.f.info, call)); target != nil {
			return // followed by function
		}
	}
	l.otherErrors = true
}

// retryFlag reads the bool that a closure answers beside its error: one that
// depends on the error is a look at it.
func (l *closureLook) retryFlag(fn *Func) {
	inspectOwn(fn.Body(), func(n ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		if len(ret.Results) < 2 {
			l.unknown = true
			return
		}
		for _, e := range ret.Results {
			b, ok := l.f.info.TypeOf(e).Underlying().(*types.Basic)
			if !ok || b.Info()&types.IsBoolean == 0 {
				continue
			}
			if in, ok := l.f.inspection(fn, e); ok && l.aboutOutcome(fn, e) {
				in.Stops = true
				l.add(in)
			}
			if id, ok := ast.Unparen(e).(*ast.Ident); ok && l.f.info.Types[id].Value == nil {
				l.unknown = true
			}
		}
	})
}

// swallows says whether a condition function answers the failure of an
// operation with false and no error.
func (f *finder) swallows(fn *Func, ops []*Operation) bool {
	return slices.ContainsFunc(ops, func(op *Operation) bool {
		w := f.wholeWalk(fn, op.Call, true)
		return w != nil && slices.ContainsFunc(w.nodes, func(n *pathNode) bool {
			r, st := w.returned(n)
			return r != nil && len(r.Results) == 2 && w.eval(st, r.Results[0]).is == isFalse && w.eval(st, r.Results[1]).is == isNil
		})
	})
}

// alwaysPermanent says whether an attempt answers every failure of an operation
// with an error that is marked as permanent.
func (f *finder) alwaysPermanent(fn *Func, op *Operation) bool {
	if fn == nil {
		return false
	}
	w := f.wholeWalk(fn, op.Call, true)
	if w == nil || len(w.nodes) == 0 {
		return false
	}
	marked := false
	for _, n := range w.nodes {
		if !n.exit {
			continue
		}
		r, _ := w.returned(n)
		if r == nil || len(r.Results) == 0 {
			return false
		}
		call, ok := ast.Unparen(r.Results[len(r.Results)-1]).(*ast.CallExpr)
		if !ok {
			return false
		}
		if e := retrylib.Lookup(calleeOf(f.info, call)); e == nil || e.Kind != retrylib.KindPermanent {
			return false
		}
		marked = true
	}
	return marked
}

// wholeWalk walks from a call of fn to the ends of fn; nil if there are too
// many paths.
func (f *finder) wholeWalk(fn *Func, call *ast.CallExpr, fail bool) *walk {
	g := f.newGraph(fn)
	if _, ok := g.at[call]; !ok {
		return nil
	}
	w := &walk{info: f.info, g: g, l: g.whole(), op: call, err: errorIndex(f.info, call), fail: fail}
	w.run()
	if w.gaveUp {
		return nil
	}
	return w
}

// whole is the function as if it were a loop that is left by a return.
func (g *graph) whole() *loop {
	l := &loop{head: g.cfg.Blocks[0], blocks: make(map[*cfg.Block]bool), node: g.fn.Body()}
	for _, b := range g.cfg.Blocks {
		if b.Live {
			l.blocks[b] = true
		}
	}
	return l
}

// returned is the return statement with which a node ends, and the state in
// which its results are evaluated; nil if it ends with none.
func (w *walk) returned(n *pathNode) (*ast.ReturnStmt, state) {
	nodes := n.block.Nodes[min(n.from, len(n.block.Nodes)):]
	if n.repeat || len(nodes) == 0 {
		return nil, nil
	}
	r, ok := nodes[len(nodes)-1].(*ast.ReturnStmt)
	if !ok {
		return nil, nil
	}
	st := n.st
	for _, x := range nodes[:len(nodes)-1] {
		st = w.transfer(st, x)
	}
	return r, st
}
