package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// libraries adds the sites of kind KindLibrary: calls of retry libraries that
// run a function of the caller's.
func (f *finder) libraries() {
	if f.libraryScope() == nil {
		return
	}
	for _, fn := range f.decls {
		if fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] {
			continue
		}
		f.searchLibraries(fn)
	}
}

// searchLibraries adds the sites among the library calls of one function.
func (f *finder) searchLibraries(fn *Func) {
	inspectOwn(fn.Body(), func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		c, ok := f.libs.Resolve(call)
		if !ok {
			return
		}
		s := f.librarySite(fn, c)
		switch {
		case s == nil:
		case s.Shape == ShapeRetry:
			f.res.Sites = append(f.res.Sites, s)
		default:
			f.res.Others = append(f.res.Others, s)
		}
	})
}

// librarySite makes the site of one call, nil if what it runs is no retry.
func (f *finder) librarySite(fn *Func, c retrylib.Call) *Site {
	switch c.Entry.Protocol {
	case retrylib.ProtocolPeriodic, retrylib.ProtocolTest, retrylib.ProtocolNone:
		return nil
	}
	s := &Site{
		Kind: KindLibrary, Shape: ShapeRetry, Node: c.Node, Func: fn, BackEdge: c.Node.Pos(),
		Library: &Library{
			Path: c.Entry.Path, Func: callName(c.Node), Callee: calleeOf(f.info, c.Node), Closure: c.Closure, Index: c.Entry.Closure,
			GiveContext: c.Entry.GiveContext(),
		},
	}
	switch c.Entry.Protocol {
	case retrylib.ProtocolError:
		s.Library.Repeats = RepeatsError
	case retrylib.ProtocolCond:
		s.Library.Repeats = RepeatsFalse
	}
	s.Attempt = f.closureFunc(c.Func)
	if s.Attempt != nil {
		s.Body = s.Attempt.Body()
	}
	a := f.attemptOf(s, c)
	if len(a.ops) == 0 {
		return nil
	}
	s.Ops = a.ops
	switch {
	case c.Entry.Protocol == retrylib.ProtocolCond && f.neverDone(s.Attempt):
		s.Shape = ShapeWorker
	case a.polls, s.Op().Reach == ReachUnknown || c.Entry.Protocol == retrylib.ProtocolCond && !a.swallows:
		s.Shape = ShapePoll
	}
	s.Inspections, s.InspectionUnknown = a.inspections, a.inspectionUnknown
	f.policyInspections(s, c)
	f.policyBounds(s, c.Policy)
	f.policyWaits(s, c.Policy)
	if c.Entry.Protocol == retrylib.ProtocolCond {
		keepPace(s)
	}
	f.policyContext(s, c.Policy)
	if c.Entry.Protocol == retrylib.ProtocolError && c.Policy.Classify == retrylib.No && s.Shape == ShapeRetry && !f.forFacts {
		f.leakInside(s)
	}
	s.Ended.Repeats = c.Entry.Protocol == retrylib.ProtocolError && c.Policy.Context.Given == retrylib.No && c.Policy.Classify != retrylib.Unknown && f.goesOnEnded(s)
	return s
}

// neverDone says whether a condition answers with false and no error wherever
// it returns, so that success is followed by another round as failure is.
func (f *finder) neverDone(fn *Func) bool {
	if fn == nil || fn.Body() == nil {
		return false
	}
	returns, done := 0, false
	inspectOwn(fn.Body(), func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok {
			returns++
			done = done || len(r.Results) != 2 || !f.isFalse(r.Results[0]) || !f.info.Types[r.Results[1]].IsNil()
		}
	})
	return returns > 0 && !done
}

func (f *finder) isFalse(e ast.Expr) bool {
	v := f.info.Types[e].Value
	return v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v)
}

// closureFunc is the Func of a literal or declaration.
func (f *finder) closureFunc(n ast.Node) *Func {
	switch n := n.(type) {
	case *ast.FuncLit:
		return f.lits[n]
	case *ast.FuncDecl:
		obj, _ := f.info.Defs[n.Name].(*types.Func)
		return f.res.FuncOf(obj)
	}
	return nil
}

// policyInspections adds what the library itself is told about failures.
func (f *finder) policyInspections(s *Site, c retrylib.Call) {
	switch {
	case c.Policy.Classify == retrylib.Yes, c.Entry.Protocol == retrylib.ProtocolClosed:
		s.Inspections = append(s.Inspections, Inspection{How: InspectLibrary, Pos: c.Node.Pos(), Expr: c.Node, Callee: s.Library.Callee, Stops: true})
	case c.Policy.Classify == retrylib.Unknown && c.Entry.Protocol != retrylib.ProtocolMarked && c.Entry.Protocol != retrylib.ProtocolCond:
		s.InspectionUnknown = true
	}
}

// policyBounds sets the limits on attempts and time.
func (f *finder) policyBounds(s *Site, p retrylib.Policy) {
	s.Attempts = Attempts{Kind: boundKind(p.Attempts.State), Max: p.Attempts.N, Expr: p.Attempts.Expr, Pos: posOf(p.Attempts.Expr, s)}
	s.Time = TimeBound{Kind: boundKind(p.Deadline.State), Max: p.Deadline.D, Pos: posOf(p.Deadline.Expr, s)}
	switch p.Deadline.State {
	case retrylib.StateConst, retrylib.StateGiven:
		s.Time.How = TimeLibrary
	case retrylib.StateUnknown:
		s.Time.How = TimeUnfollow
	}
}

func boundKind(s retrylib.State) BoundKind {
	return [...]BoundKind{retrylib.StateUnknown: BoundUnknown, retrylib.StateNone: BoundNone, retrylib.StateConst: BoundConst, retrylib.StateGiven: BoundVar}[s]
}

func truth(t retrylib.Truth) Truth { return [...]Truth{Unknown, No, Yes}[t] }

// posOf is where an option is written, or the site for a default.
func posOf(e ast.Expr, s *Site) token.Pos {
	if e == nil {
		return s.Node.Pos()
	}
	return e.Pos()
}

// policyWaits sets the wait that the library makes. What is not known of
// whether it can be interrupted makes no wait that a check could speak about.
func (f *finder) policyWaits(s *Site, p retrylib.Policy) {
	if p.Delay == retrylib.DelayNone {
		// Only what the attempt itself waits after it failed.
		if s.Attempt != nil && s.Op().Call != s.Node {
			op := s.Op().Call
			ws, unknown := f.waits(s.Attempt, statements(s.Body), op, func(c *ast.CommClause) bool { return givesUp(c, op) })
			s.Waits = slices.DeleteFunc(ws, func(w *Wait) bool { return w.Position != WaitAfterOp })
			s.WaitUnknown = unknown
		}
		return
	}
	interruptible := p.Interruptible()
	if interruptible == retrylib.Unknown {
		s.WaitUnknown = true
		return
	}
	w := &Wait{
		How: WaitLibrary, Node: s.Node, Duration: p.Base.Expr, Position: WaitAfterOp, AfterLast: Unknown,
		Interruptible: interruptible == retrylib.Yes, Jittered: truth(p.Jitter),
	}
	switch p.Delay {
	case retrylib.DelayConstant:
		w.Grows = No
		if p.Base.State == retrylib.StateConst {
			w.Const, w.HasConst = p.Base.D, true
		}
	case retrylib.DelayGrowing:
		w.Grows = Yes
	}
	switch p.Cap.State {
	case retrylib.StateNone:
		w.Capped = No
	case retrylib.StateConst, retrylib.StateGiven:
		w.Capped = Yes
	}
	s.Waits = []*Wait{w}
}

// keepPace leaves open whether the steady pace of a condition ought to be
// random: it is the pace of a poll before it is that of a retry.
func keepPace(s *Site) {
	for _, w := range s.Waits {
		if w.Grows == No && w.Jittered == No {
			w.Jittered = Unknown
		}
	}
}

func statements(b *ast.BlockStmt) (list []ast.Node) {
	for _, st := range b.List {
		list = append(list, st)
	}
	return list
}

// policyContext sets the context: what the library was given, else what the
// operation uses in the attempt.
func (f *finder) policyContext(s *Site, p retrylib.Policy) {
	op := s.Op()
	var inner Context // of the operation
	var bounded token.Pos
	if op.Call != s.Node && s.Attempt != nil {
		inner, bounded = f.contextOf(s.Attempt, op.Call)
		if bounded.IsValid() && s.Contains(bounded) {
			s.Time.PerAttempt, s.Time.PerAttemptPos = true, bounded
			bounded = token.NoPos
		}
		if lim, pos := f.limitOf(s.Attempt, op.Call, 0); lim == limited && !s.Time.PerAttempt {
			s.Time.PerAttempt, s.Time.PerAttemptPos = true, pos
		} else if lim == limitNone {
			op.Unlimited = true
		}
	}
	ctx := inner
	if p.Context.Given == retrylib.Yes && p.Context.Expr != nil {
		t := f.traceContext(s.Func, p.Context.Expr, nil)
		ctx = Context{Origin: t.origin, Expr: p.Context.Expr, Object: t.object, Pos: t.pos}
		bounded = t.bounded
		// An attempt that ends with its caller ends the whole only where
		// somebody looks; but it does not hang.
		if weight(inner.Origin) == 3 && !f.fromLibrary(s, inner) {
			s.Time.PerAttempt, s.Time.PerAttemptPos = true, op.Pos()
		}
	} else if p.Context.Given == retrylib.Unknown {
		ctx.Origin = ContextUnknown
	}
	if f.fromLibrary(s, ctx) {
		ctx.Origin = ContextLibrary
	}
	if bounded.IsValid() {
		ctx.Bounded = true
		if !s.Time.Limited() {
			s.Time.Kind, s.Time.How, s.Time.Pos = BoundVar, TimeContext, bounded
		}
	}
	ctx.Reachable, ctx.ReachableOrigin = f.reachable(s.Func, s.Pos())
	if !s.Time.Limited() {
		switch ctx.Origin {
		case ContextParam, ContextField, ContextRequest, ContextLibrary, ContextGlobal:
			s.Time.Kind, s.Time.How = BoundOther, TimeCaller
		case ContextUnknown:
			s.Time.How = TimeUnfollow
		}
	}
	s.Context = ctx
	s.CancelChecks = f.cancelChecks(s.Func, nil, s.Waits)
	if s.Attempt != nil {
		s.CancelChecks = append(s.CancelChecks, f.cancelChecks(s.Attempt, statements(s.Body), nil)...)
		slices.Sort(s.CancelChecks)
	}
}

// fromLibrary says whether a context is a parameter of the attempt itself, so
// that the library hands it in.
func (f *finder) fromLibrary(s *Site, c Context) bool {
	v, ok := c.Object.(*types.Var)
	return ok && s.Attempt != nil && f.paramOf(s.Attempt, v) == s.Attempt
}
