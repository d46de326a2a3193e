package retrysite

import (
	"go/ast"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// wrappers adds the sites of kind KindWrapper: calls of functions, of any
// package, that retry what they are given.
func (f *finder) wrappers() {
	for _, fn := range f.decls {
		if fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] || forTests(f.info, fn) {
			continue
		}
		for _, call := range fn.calls {
			if s := f.wrapperSite(fn, call); s != nil {
				f.res.Sites = append(f.res.Sites, s)
			}
		}
	}
}

// anyError is how a retrier of the user's own reads what its closure returns,
// as far as is known: an error runs it again.
var anyError = &retrylib.Entry{Kind: retrylib.KindClosure, Protocol: retrylib.ProtocolError}

// wrapperSite makes the site of a call of a retrier, nil if it is none.
func (f *finder) wrapperSite(fn *Func, call *ast.CallExpr) *Site {
	callee := calleeOf(f.info, call)
	if callee == nil || !takesFunc(callee.Signature()) {
		return nil
	}
	r := f.retrier(callee)
	if r == nil || r.Closure >= len(call.Args) || retrylib.Lookup(callee) != nil {
		return nil
	}
	if f.libs == nil {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
	}
	c := retrylib.Call{Entry: anyError, Node: call, Closure: call.Args[r.Closure]}
	c.Func = f.libs.Closure(c.Closure)
	s := &Site{Kind: KindWrapper, Shape: ShapeRetry, Node: call, Func: fn, BackEdge: call.Pos(), Wrapper: callee}
	s.Attempt = f.closureFunc(c.Func)
	if s.Attempt != nil {
		s.Body = s.Attempt.Body()
	}
	a := f.attemptOf(s, c)
	if r.Condition && (s.Attempt == nil || !a.swallows) {
		return nil // its errors end it
	}
	if len(a.ops) == 0 || a.ops[0].Reach == ReachUnknown {
		return nil
	}
	s.Ops = a.ops
	// What the retrier waits for, and whether it looks at failures, is told
	// where it is written. Its callers hear only of what they hand in.
	s.WaitUnknown = true
	s.Inspections = a.inspections
	s.InspectionUnknown = true
	s.Plain = !r.Inspects && !r.Condition
	s.Attempts = Attempts{Kind: BoundNone, Pos: call.Pos()}
	switch {
	case r.Attempts > 0:
		s.Attempts.Kind, s.Attempts.Max = BoundConst, r.Attempts
	case r.Counted:
		s.Attempts.Kind = BoundOther
	}
	s.Time = TimeBound{Pos: call.Pos()}
	if r.Timed {
		s.Time.Kind, s.Time.How = BoundOther, TimeUnfollow
	}
	var p retrylib.Policy
	if e := f.contextArg(fn, call); e != nil {
		p.Context = retrylib.Context{Given: retrylib.Yes, Expr: e}
	} else {
		p.Context.Given = retrylib.No
	}
	f.policyContext(s, p)
	return s
}
