package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// repeatsOn says whether all the looks that can lead back are of one kind, and
// not all of them are a next step's. Only those may be asked about that decide
// last.
func (f *finder) repeatsOn(w *walk, last bool, kind func(ast.Expr) bool) bool {
	failed, stepped, refused, paused := false, false, false, false
	for _, l := range w.looks {
		switch {
		case last && l.repeats && !l.stops && asksRetry(l.full):
			failed = true // one of several that are asked in turn
		case !l.repeats || !l.stops || last && !l.last:
		case f.goesOnWithoutError(l), f.goesOnWhenOK(w.g.fn, l):
			stepped = true
		case l.full != l.expr && l.onYes && f.comparesOK(w.g.fn, l):
			return false // the case of success comes back, whatever the others do
		case !last && f.goesOnWithError(l):
			refused = true // an error made of the answer, of which another look says more
		case f.asksOutcome(l, kind), f.namesFailure(w.g.fn, l):
			failed = true
		case f.asksPause(w.g.fn, l):
			paused = true // how much time is left, or whether a wait was cut short
		case !last && !l.last && !l.onYes && f.asksCaller(l.full):
			refused = true // what the caller takes for success leaves, and another look decides about the rest
		default:
			return false
		}
	}
	if last && paused && !failed {
		return f.repeatsOn(w, false, kind) // the wait comes last, and those before it decide
	}
	return failed || !stepped && !refused && !paused
}

// asksCaller says whether a condition asks a function that is handed in.
func (f *finder) asksCaller(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			tv := f.info.Types[call.Fun]
			found = found || calleeOf(f.info, call) == nil && !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}

// asksOutcome says whether a look is of some kind, by those parts of it that are
// about the outcome. Beside the question whether there was an error at all, what
// else is asked of the answer is whether it is one.
func (f *finder) asksOutcome(l *look, kind func(ast.Expr) bool) bool {
	if len(l.parts) == 0 || slices.ContainsFunc(l.parts, kind) {
		return kind(l.full)
	}
	asked := false
	ast.Inspect(l.full, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		asked = asked || ok && f.info.Types[b.Y].IsNil() && isError(f.info.TypeOf(b.X))
		return !asked
	})
	return asked && kind(l.full)
}

// asksRetry says whether a condition is a variable that is named for saying
// whether there is another attempt.
func asksRetry(e ast.Expr) bool {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		e = ast.Unparen(not.X)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	name := strings.ToLower(id.Name)
	return strings.Contains(name, "retry") || strings.Contains(name, "retri")
}

// goesOnWithError says whether a look at an error comes back only where there
// was one.
func (f *finder) goesOnWithError(l *look) bool {
	b, ok := ast.Unparen(l.full).(*ast.BinaryExpr)
	if !ok || !f.info.Types[b.Y].IsNil() || !isError(f.info.TypeOf(b.X)) {
		return false
	}
	return b.Op == token.EQL && !l.onYes || b.Op == token.NEQ && !l.onNo
}

// goesOnWithoutError says whether a look at an error comes back only where
// there was none: the next round is then the next step, and no retry.
func (f *finder) goesOnWithoutError(l *look) bool {
	b, ok := ast.Unparen(l.full).(*ast.BinaryExpr)
	if !ok || !f.info.Types[b.Y].IsNil() || !isError(f.info.TypeOf(b.X)) {
		return false
	}
	return l.comesBackOnlyEqual(b)
}

// comesBackOnlyEqual says whether a look at a comparison comes back only where
// both sides are equal.
func (l *look) comesBackOnlyEqual(b *ast.BinaryExpr) bool {
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
func (f *finder) isOK(fn *Func, b *ast.BinaryExpr) bool {
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
	isStatus := ok && status.Sel.Name == "StatusCode" || f.keepsStatus(fn, varOf(f.info, b.X))
	v := f.info.Types[b.Y].Value
	if !isStatus || v == nil || v.Kind() != constant.Int {
		return false
	}
	code, exact := constant.Int64Val(v)
	return exact && code/100 == 2
}

// comparesOK says whether a look is a comparison with the status of success.
func (f *finder) comparesOK(fn *Func, l *look) bool {
	b, ok := ast.Unparen(l.full).(*ast.BinaryExpr)
	return ok && b.Op == token.EQL && f.isOK(fn, b)
}

// goesOnWhenOK says whether a look at a status comes back only where it is one
// of success: the next round is then the next step, and no retry.
func (f *finder) goesOnWhenOK(fn *Func, l *look) bool {
	b, ok := ast.Unparen(l.full).(*ast.BinaryExpr)
	return ok && f.isOK(fn, b) && l.comesBackOnlyEqual(b)
}

// failureStatus is what a look must be like that can only be one at a failure.
// Of a function that somebody hands in, the error may be such a look: it is the
// one that is not to be retried.
func (f *finder) failureStatus(c *candidate) func(ast.Expr) bool {
	fn := c.fail.g.fn
	if c.reach == ReachParam {
		return func(e ast.Expr) bool { return f.isHTTPStatus(fn, e) }
	}
	return func(e ast.Expr) bool { return f.partIsHTTPStatus(fn, e) }
}

// partIsHTTPStatus says whether a condition, apart from comparisons of errors
// with nil, looks at what can only be a failure.
func (f *finder) partIsHTTPStatus(fn *Func, e ast.Expr) bool {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		switch {
		case b.Op == token.LAND || b.Op == token.LOR:
			return f.partIsHTTPStatus(fn, b.X) || f.partIsHTTPStatus(fn, b.Y)
		case f.info.Types[b.Y].IsNil() && isError(f.info.TypeOf(b.X)):
			return false
		}
	}
	return f.isHTTPStatus(fn, e)
}

// isHTTPStatus says whether a condition looks at what can only be a failure:
// the status of an HTTP response, a gRPC code, an error that is made from the
// answer, a question about retrying.
func (f *finder) isHTTPStatus(fn *Func, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || f.isStatusOf(n)
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
				found = found || v.Type().String() == "google.golang.org/grpc/codes.Code" || isError(v.Type()) || implementsError(v.Type()) || f.keepsStatus(fn, v)
			}
		}
		return !found
	})
	return found
}

// isStatusOf says whether a selector is the status of an HTTP response, or of what
// embeds one.
func (f *finder) isStatusOf(sel *ast.SelectorExpr) bool {
	v, ok := f.info.Uses[sel.Sel].(*types.Var)
	return ok && v.IsField() && v.Name() == "StatusCode" && v.Pkg() != nil && v.Pkg().Path() == "net/http"
}

// keepsStatus says whether a local variable is given nothing but the status of an
// HTTP response.
func (f *finder) keepsStatus(fn *Func, v *types.Var) bool {
	if v == nil || v.IsField() || isPackageLevel(v) || !isInteger(v.Type()) || f.paramOf(fn, v) != nil {
		return false
	}
	values := f.valuesOf(fn, v)
	return len(values) > 0 && !slices.ContainsFunc(values, func(a assigned) bool {
		sel, ok := ast.Unparen(a.expr).(*ast.SelectorExpr)
		return a.expr == nil || !ok || !f.isStatusOf(sel)
	})
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
			if !ok || v.IsField() {
				return true
			}
			_, isPointer := v.Type().Underlying().(*types.Pointer)
			if !isPointer && !types.Identical(v.Type().Underlying(), types.Typ[types.Bool]) {
				return true
			}
			for _, a := range f.valuesOf(fn, v) {
				if call, ok := a.expr.(*ast.CallExpr); ok {
					found = found || f.givenError(call)
				}
			}
			return !found
		})
		return found || asksRetry(e) || f.looksAtStatus(e) && !f.looksForState(e)
	}
}

// looksForState says whether a condition asks whether something has come to a
// state that the function was told, which no failure is: s.Status == wanted.
func (f *finder) looksForState(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || f.info.Types[b.X].Value != nil || f.info.Types[b.Y].Value != nil {
		return false
	}
	return isText(f.info.TypeOf(b.X)) && isText(f.info.TypeOf(b.Y))
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
