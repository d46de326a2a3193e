package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
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
		ops := f.candidates(g, l, done)
		if s := f.loopSite(g, l, ops); s != nil {
			for _, c := range ops {
				// What only goes on when it went well belongs to a loop around
				// this one if its failure comes back there.
				done[c.call] = s.Shape == ShapeRetry || c.fail.repeats
			}
			if s.Shape == ShapeRetry {
				f.res.Sites = append(f.res.Sites, s)
			} else {
				f.res.Others = append(f.res.Others, s)
			}
		}
	}
}

// candidates are the operations of l, without those that have their site, in
// source order.
func (f *finder) candidates(g *graph, l *loop, done map[*ast.CallExpr]bool) (ops []*candidate) {
	// How far one call is followed may depend on those that were looked at before.
	inOrder := func(a, b *ast.CallExpr) int { return int(a.Pos() - b.Pos()) }
	for _, call := range slices.SortedFunc(maps.Keys(g.at), inOrder) {
		if l.blocks[g.at[call].block] && !done[call] {
			if c := f.candidate(g, l, call); c != nil {
				ops = append(ops, c)
			}
		}
	}
	return ops
}

// mayRetry says whether fn has, in a loop, a call that can fail.
func (f *finder) mayRetry(fn *Func) (found bool) {
	loops := false
	inspectOwn(fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			loops = true
		case *ast.CallExpr:
			found = found || loops && (errorIndex(f.info, n) >= 0 || f.answersOtherwise(n))
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
	if ei < 0 && !f.answersOtherwise(call) || asks(call) {
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
	if reach == ReachLocal || f.listensThere(g.fn, call) {
		return nil
	}
	if discarded(g, call, ei) || f.onlyNoted(g, l, call, ei) {
		return nil
	}
	c := &candidate{call: call, reach: reach}
	c.fail = &walk{info: f.info, g: g, l: l, op: call, err: ei, fail: true}
	c.fail.run()
	if c.fail.gaveUp {
		return nil
	}
	c.success = &walk{info: f.info, g: g, l: l, op: call, err: ei, steps: c.fail.repeats}
	c.success.run()
	if c.success.gaveUp {
		return nil
	}
	if ei < 0 && (reach != ReachRemote || !c.success.repeats || !c.success.exits || c.success.repeatsBlind) {
		return nil
	}
	if !c.fail.repeats && !(c.success.repeats && c.success.exits && !c.success.repeatsBlind) {
		return nil
	}
	f.target(g, l, c)
	return c
}

// asks says whether a call waits for somebody rather than for an answer: an
// accepted connection, or what a person types.
func asks(call *ast.CallExpr) bool {
	name := callName(call)
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if strings.HasPrefix(name, "accept") {
		return true
	}
	for _, s := range []string{"password", "passphrase", "prompt", "readline", "userinput"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// answersOtherwise says whether a call of a function of the package tells by a
// bool or a struct, rather than by an error, whether it failed.
func (f *finder) answersOtherwise(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if f.res.FuncOf(callee) == nil || errorIndex(f.info, call) >= 0 || receives(callee.Name()) {
		return false
	}
	for v := range callee.Signature().Results().Variables() {
		t := v.Type()
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			return true
		}
		s, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range s.Fields() {
			if isError(field.Type()) {
				return true
			}
		}
	}
	return false
}

// receives says whether a function is named for taking what the other side
// sends, whenever that is.
func receives(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "receive") || strings.HasPrefix(name, "recv")
}

// discarded says whether nobody looks at a call's error.
func discarded(g *graph, call *ast.CallExpr, ei int) bool {
	p := g.at[call]
	switch n := p.block.Nodes[p.index].(type) {
	case *ast.ExprStmt:
		return ast.Unparen(n.X) == ast.Expr(call)
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(call) && ei >= 0 && ei < len(n.Lhs) {
			id, ok := n.Lhs[ei].(*ast.Ident)
			return ok && id.Name == "_"
		}
	}
	return false
}

// handlesError says whether a call makes, wraps, reads or reports an error
// rather than being what failed.
func (f *finder) handlesError(callee *types.Func, call *ast.CallExpr) bool {
	if callee == nil {
		// A package that stands in for errors may hand on functions as variables,
		// and what says whether to retry may be handed in.
		v, ok := objectOf(f.info, call.Fun).(*types.Var)
		return ok && isPackageLevel(v) && v.Pkg().Name() == "errors" || f.givenError(call)
	}
	if isContextErr(callee) || wraps(callee) {
		return true
	}
	if callee.Pkg() != nil {
		switch callee.Pkg().Path() {
		case "errors", "fmt", "log", "log/slog":
			return true
		}
		if callee.Pkg().Name() == "errors" && (callee.Name() == "Errorf" || callee.Name() == "New") {
			return true // one of the packages that stand in for the standard one
		}
	}
	switch callee.Name() {
	case "Close", "Err", "Error", "Unwrap", "Cause":
		return true
	}
	if recv := callee.Signature().Recv(); recv != nil && implementsError(recv.Type()) {
		return true // a part of an error
	}
	return f.givenError(call) // a wrapper or a handler
}

// givenError says whether one of a call's arguments is an error.
func (f *finder) givenError(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isError(f.info.TypeOf(a)) })
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
	if !best.fail.repeats {
		for n := range best.success.back {
			back = append(back, n)
		}
	}
	slices.SortFunc(back, func(a, b ast.Node) int { return int(a.Pos() - b.Pos()) })
	s.Waits, s.WaitUnknown = f.waits(g.fn, back, best.call, func(c *ast.CommClause) bool { return g.leavesLoop(l, c) })
	s.Inspections = f.inspections(s.Func, best)
	s.InspectionUnknown = f.tellsPolicy(l, best, back)
	s.CancelChecks = f.cancelChecks(g.fn, back, s.Waits)
	s.Attempts = f.attemptBound(g, l)
	if s.Attempts.Kind == BoundUnknown {
		s.Attempts = f.onlyOnce(g, l, best)
	}
	s.Time = f.timeBound(g, l)
	f.setContext(s, l, best)
	s.Defers = defersIn(l)
	s.Repeats = best.fail.repeats
	s.Elsewhere = best.motion == picks
	if !f.forFacts {
		f.details(s, g, l, best)
	}
	if shape == ShapeWorker {
		s.Requeued = slices.ContainsFunc(ops, func(c *candidate) bool { return f.requeued(g, l, c) })
	}
	return s
}

// operation describes a candidate.
func (f *finder) operation(fn *Func, c *candidate) *Operation {
	op := &Operation{
		Call: c.call, Callee: calleeOf(f.info, c.call), Name: callName(c.call), Reach: c.reach, ParamIndex: -1,
		ContextArg: f.contextArg(fn, c.call),
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

// callName is how a message calls a function: at most the last two names.
func callName(call *ast.CallExpr) string {
	switch e := ast.Unparen(call.Fun).(type) {
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

// setContext fills in the context and the limits that come with it.
func (f *finder) setContext(s *Site, l *loop, c *candidate) {
	ctx, bounded := f.contextOf(s.Func, c.call)
	if bounded.IsValid() {
		if l != nil && l.node.Pos() <= bounded && bounded < l.node.End() {
			s.Time.PerAttempt, s.Time.PerAttemptPos = true, bounded
		} else {
			ctx.Bounded = true
			if !s.Time.Limited() {
				s.Time = TimeBound{Kind: BoundVar, How: TimeContext, Pos: bounded}
			}
		}
	}
	if lim, pos := f.limitOf(s.Func, c.call, 0); lim == limited && !s.Time.PerAttempt {
		s.Time.PerAttempt, s.Time.PerAttemptPos = true, pos
	} else if lim == limitNone {
		s.Op().Unlimited = true
	}
	ctx.Reachable, ctx.ReachableOrigin = f.reachable(s.Func, s.Pos())
	switch ctx.Origin {
	case ContextParam, ContextField, ContextRequest, ContextLibrary, ContextGlobal:
		if !s.Time.Limited() {
			s.Time.Kind, s.Time.How = BoundOther, TimeCaller
		}
	case ContextUnknown:
		if !s.Time.Limited() {
			s.Time.How = TimeUnfollow
		}
	}
	s.Context = ctx
}

// cancelChecks are the places among nodes where the end of a context is
// looked at.
func (f *finder) cancelChecks(fn *Func, nodes []ast.Node, waits []*Wait) (list []token.Pos) {
	for _, n := range nodes {
		inspectOwn(n, func(n ast.Node) {
			switch n := n.(type) {
			case *ast.CallExpr:
				callee := calleeOf(f.info, n)
				if isContextErr(callee) {
					list = append(list, n.Pos())
				} else if callee != nil && callee.Name() == "Done" {
					if recv := callee.Signature().Recv(); recv != nil && isContext(recv.Type()) {
						list = append(list, n.Pos())
					}
				}
			case *ast.SelectorExpr:
				if o := f.info.ObjectOf(n.Sel); o != nil && o.Pkg() != nil && o.Pkg().Path() == "context" && (o.Name() == "Canceled" || o.Name() == "DeadlineExceeded") {
					list = append(list, n.Pos())
				}
			}
		})
	}
	for _, w := range waits {
		if w.Interruptible {
			list = append(list, w.Pos())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tellsPolicy says whether the error is handed to something that the loop asks
// whether to go on: state.OnFailure(err) under for state.Continue().
func (f *finder) tellsPolicy(l *loop, c *candidate, back []ast.Node) bool {
	told := make(map[types.Object]bool)
	errs := c.fail.errVars()
	for _, n := range back {
		inspectOwn(n, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || call == c.call {
				return
			}
			given := false
			for _, a := range call.Args {
				ast.Inspect(a, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && errs[f.info.ObjectOf(id)] {
						given = true
					}
					return true
				})
			}
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && given && f.info.Selections[sel] != nil {
				if r := refOf(f.info, sel.X); r.root != nil {
					told[r.root] = true
				}
			}
		})
	}
	if len(told) == 0 {
		return false
	}
	asked := false
	for _, cond := range loopConditions(l) {
		ast.Inspect(cond, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.info.Selections[sel] != nil && told[refOf(f.info, sel.X).root] {
					asked = true
				}
			}
			return true
		})
	}
	return asked
}

// better says which of two candidates is the operation proper.
func (c *candidate) better(d *candidate) bool {
	if a, b := c.rank(), d.rank(); a != b {
		return a < b
	}
	return c.call.Pos() > d.call.Pos()
}

// plain says whether success always leaves the loop, and failure comes back to
// the same call of what leaves the process.
func (c *candidate) plain() bool {
	return c.fail.repeats && !c.success.repeats && c.success.exits && c.motion == stays && c.reach == ReachRemote
}

// staysIn says whether the loop goes on after success too, though not to the
// same call: a step that is made once.
func (c *candidate) staysIn(l *loop) bool {
	return !c.success.repeats && slices.ContainsFunc(c.success.nodes[1:], func(n *pathNode) bool { return n.block == l.head })
}

func (c *candidate) rank() int {
	r := 0
	if !c.fail.repeats {
		r += 16
	}
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
	case c.motion == moves, c.motion == picks && !f.countsTries(g, l):
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
	case c.reach == ReachUnknown, f.repeatsOnErrno(c.fail):
		return ShapePoll
	}
	return ShapeRetry
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

// repeatsOnErrno says whether failure comes back only where the error is one
// of the system's ways to say "once more": EINTR, EAGAIN, a name that is taken.
func (f *finder) repeatsOnErrno(w *walk) bool {
	for _, l := range w.looks {
		if l.stops && f.asksForErrno(w.g.fn, l, l.expr) {
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
		return back && (strings.HasSuffix(name, "Exists") || strings.HasSuffix(name, "AlreadyExist"))
	}
}

// waitsForPending says whether the error that leads back is one that only says
// that the other side is not done yet (authorization_pending).
func (f *finder) waitsForPending(w *walk) (found bool) {
	for _, l := range w.looks {
		if !l.repeats {
			continue
		}
		ast.Inspect(l.expr, func(n ast.Node) bool {
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

// repeatsOn says whether all the looks that can lead back are of one kind, and
// not all of them are a next step's. Only those may be asked about that decide
// last.
func (f *finder) repeatsOn(w *walk, last bool, kind func(ast.Expr) bool) bool {
	failed, stepped, refused := false, false, false
	for _, l := range w.looks {
		switch {
		case last && l.repeats && !l.stops && asksRetry(l.expr):
			failed = true // one of several that are asked in turn
		case !l.repeats || !l.stops || last && !l.last:
		case f.goesOnWithoutError(l), f.goesOnWhenOK(l):
			stepped = true
		case !last && f.goesOnWithError(l):
			refused = true // an error made of the answer, of which another look says more
		case !kind(l.expr):
			return false
		default:
			failed = true
		}
	}
	return failed || !stepped && !refused
}

// asksRetry says whether a condition is a variable that is named for saying
// whether there is another attempt.
func asksRetry(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	name := strings.ToLower(id.Name)
	return strings.Contains(name, "retry") || strings.Contains(name, "retri")
}

// goesOnWithError says whether a look at an error comes back only where there
// was one.
func (f *finder) goesOnWithError(l *look) bool {
	b, ok := ast.Unparen(l.expr).(*ast.BinaryExpr)
	if !ok || !f.info.Types[b.Y].IsNil() || !isError(f.info.TypeOf(b.X)) {
		return false
	}
	return b.Op == token.EQL && !l.onYes || b.Op == token.NEQ && !l.onNo
}

// goesOnWithoutError says whether a look at an error comes back only where
// there was none: the next round is then the next step, and no retry.
func (f *finder) goesOnWithoutError(l *look) bool {
	b, ok := ast.Unparen(l.expr).(*ast.BinaryExpr)
	if !ok || !f.info.Types[b.Y].IsNil() || !isError(f.info.TypeOf(b.X)) {
		return false
	}
	switch b.Op {
	case token.NEQ:
		return !l.onYes
	case token.EQL:
		return !l.onNo
	}
	return false
}

// isOK says whether a comparison is one with the status of success: of an HTTP
// response, or what another protocol names for it.
func (f *finder) isOK(b *ast.BinaryExpr) bool {
	switch o := objectOf(f.info, b.Y).(type) {
	case *types.Const:
		if strings.HasSuffix(o.Name(), "OK") && o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return true
		}
	case *types.Var:
		if strings.HasSuffix(o.Name(), "OK") && isPackageLevel(o) {
			return true
		}
	}
	status, ok := ast.Unparen(b.X).(*ast.SelectorExpr)
	v := f.info.Types[b.Y].Value
	if !ok || status.Sel.Name != "StatusCode" || v == nil || v.Kind() != constant.Int {
		return false
	}
	code, exact := constant.Int64Val(v)
	return exact && code/100 == 2
}

// goesOnWhenOK says whether a look at a status comes back only where it is one
// of success: the next round is then the next step, and no retry.
func (f *finder) goesOnWhenOK(l *look) bool {
	b, ok := ast.Unparen(l.expr).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if !f.isOK(b) {
		return false
	}
	switch b.Op {
	case token.NEQ:
		return !l.onYes
	case token.EQL:
		return !l.onNo
	}
	return false
}

// failureStatus is what a look must be like that can only be one at a failure.
// Of a function that somebody hands in, the error may be such a look: it is the
// one that is not to be retried.
func (f *finder) failureStatus(c *candidate) func(ast.Expr) bool {
	if c.reach == ReachParam {
		return f.isHTTPStatus
	}
	return f.partIsHTTPStatus
}

// partIsHTTPStatus says whether a condition, apart from comparisons of errors
// with nil, looks at what can only be a failure.
func (f *finder) partIsHTTPStatus(e ast.Expr) bool {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		switch {
		case b.Op == token.LAND || b.Op == token.LOR:
			return f.partIsHTTPStatus(b.X) || f.partIsHTTPStatus(b.Y)
		case f.info.Types[b.Y].IsNil() && isError(f.info.TypeOf(b.X)):
			return false
		}
	}
	return f.isHTTPStatus(e)
}

// isHTTPStatus says whether a condition looks at what can only be a failure:
// the status of an HTTP response, a gRPC code, an error that is made from the
// answer, a question about retrying.
func (f *finder) isHTTPStatus(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if t := f.info.TypeOf(n.X); n.Sel.Name == "StatusCode" && t != nil && deref(t).String() == "net/http.Response" {
				found = true
			}
		case *ast.BinaryExpr:
			// What keeps the status under another type.
			sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr)
			if tv := f.info.Types[n.Y]; ok && sel.Sel.Name == "StatusCode" && tv.Value != nil && tv.Value.Kind() == constant.Int {
				code, _ := constant.Int64Val(tv.Value)
				found = found || code >= 400 && code < 600
			}
		case *ast.Ident:
			name := strings.ToLower(n.Name)
			if strings.Contains(name, "retry") || strings.Contains(name, "retri") {
				found = true
			}
			switch v := f.info.ObjectOf(n).(type) {
			case *types.Const:
				found = found || v.Type().String() == "google.golang.org/grpc/codes.Code"
			case *types.Var:
				found = found || v.Type().String() == "google.golang.org/grpc/codes.Code" || isError(v.Type()) || implementsError(v.Type())
			}
		}
		return !found
	})
	return found
}

// looksAtFailure says whether a condition looks at a status, or at the answer
// of something that was given an error to judge: ok, err := policy(resp, err).
func (f *finder) looksAtFailure(fn *Func) func(ast.Expr) bool {
	return func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return !found
			}
			v, ok := f.info.ObjectOf(id).(*types.Var)
			if !ok || v.IsField() || !types.Identical(v.Type().Underlying(), types.Typ[types.Bool]) {
				return true
			}
			for _, a := range f.valuesOf(fn, v) {
				if call, ok := a.expr.(*ast.CallExpr); ok {
					found = found || f.givenError(call)
				}
			}
			return !found
		})
		return found || f.looksAtStatus(e)
	}
}

func (f *finder) looksAtStatus(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		name := strings.ToLower(id.Name)
		for _, s := range []string{"status", "code", "err", "fail", "retry", "temporary", "transient"} {
			found = found || strings.Contains(name, s)
		}
		return true
	})
	return found
}
