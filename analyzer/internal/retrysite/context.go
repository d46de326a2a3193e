package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A trace is where a context comes from and what was put on it on its way.
type trace struct {
	origin  ContextOrigin
	object  types.Object
	pos     token.Pos
	bounded token.Pos // the WithTimeout or WithDeadline, NoPos if none
}

// traceContext follows a context expression back through the function and
// those around it.
func (f *finder) traceContext(fn *Func, e ast.Expr, seen map[*types.Var]bool) trace {
	if seen == nil {
		seen = make(map[*types.Var]bool)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return f.traceCall(fn, e, seen)
	case *ast.SelectorExpr:
		v, ok := f.info.ObjectOf(e.Sel).(*types.Var)
		if !ok {
			return trace{}
		}
		t := trace{origin: ContextGlobal, object: v, pos: e.Pos()}
		if v.IsField() {
			t.origin = ContextField
		}
		return t
	case *ast.Ident:
		v, ok := f.info.ObjectOf(e).(*types.Var)
		if !ok {
			return trace{}
		}
		return f.traceVar(fn, v, seen)
	}
	return trace{}
}

func (f *finder) traceVar(fn *Func, v *types.Var, seen map[*types.Var]bool) trace {
	if isPackageLevel(v) {
		return trace{origin: ContextGlobal, object: v, pos: v.Pos()}
	}
	if seen[v] {
		return trace{}
	}
	seen[v] = true
	t := trace{}
	if f.paramOf(fn, v) != nil {
		t = trace{origin: ContextParam, object: v, pos: v.Pos()}
	}
	for _, a := range f.valuesOf(fn, v) {
		if a.expr == nil {
			continue
		}
		u := f.traceContext(fn, a.expr, seen)
		if u.object == nil {
			u.object = v
		}
		if weight(u.origin) == 1 && f.endedElsewhere(fn, a) {
			u.origin = ContextUnknown
		}
		if u.bounded.IsValid() {
			t.bounded = u.bounded
		}
		// What comes from a caller or is not known wins over Background, which
		// is then only the default.
		if t.origin == ContextUnknown && t.object == nil || weight(u.origin) > weight(t.origin) {
			u.bounded = max(u.bounded, t.bounded)
			t = u
		}
	}
	return t
}

func weight(o ContextOrigin) int {
	switch o {
	case ContextBackground, ContextTODO:
		return 1
	case ContextUnknown, ContextAbsent:
		return 2
	}
	return 3
}

func (f *finder) traceCall(fn *Func, call *ast.CallExpr, seen map[*types.Var]bool) trace {
	callee := calleeOf(f.info, call)
	name := fullName(callee)
	switch name {
	case "context.Background":
		return trace{origin: ContextBackground, pos: call.Pos()}
	case "context.TODO":
		return trace{origin: ContextTODO, pos: call.Pos()}
	case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
		t := f.traceContext(fn, call.Args[0], seen)
		t.bounded = call.Pos()
		return t
	case "context.WithoutCancel":
		return trace{origin: ContextBackground, pos: call.Pos()}
	}
	if callee != nil && callee.Name() == "Context" && len(call.Args) == 0 && callee.Signature().Recv() != nil {
		t := trace{origin: ContextRequest, pos: call.Pos()}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			t.object = objectOf(f.info, sel.X)
		}
		return t
	}
	if callee == nil || f.res.FuncOf(callee) == nil && callee.Pkg() != nil {
		// Whatever it adds, a function that takes a context and gives one back
		// builds on it.
		for _, a := range call.Args {
			if t := f.info.TypeOf(a); t != nil && isContext(t) {
				u := f.traceContext(fn, a, seen)
				if callee == nil || callee.Pkg().Path() != "context" {
					if weight(u.origin) < 2 && !knownWrapper(name) {
						u.origin = ContextUnknown // it may bound it
					}
				}
				return u
			}
		}
	}
	return trace{pos: call.Pos()}
}

// knownWrapper says whether a function of another package is known to put no
// bound on the context that it passes on.
func knownWrapper(name string) bool {
	switch name {
	case "golang.org/x/sync/errgroup.WithContext", "google.golang.org/grpc/metadata.AppendToOutgoingContext",
		"google.golang.org/grpc/metadata.NewOutgoingContext", "os/signal.NotifyContext",
		"(go.opentelemetry.io/otel/trace.Tracer).Start", "go.opentelemetry.io/otel/trace.ContextWithSpan":
		return true
	}
	return false
}

// detached says whether what a context is, or was made of, is cut off from the
// end of the one that the function was given.
func (f *finder) detached(fn *Func, c Context) bool {
	v, ok := c.Object.(*types.Var)
	if c.Expr != nil {
		v, ok = objectOf(f.info, c.Expr).(*types.Var)
	}
	if !ok {
		return false
	}
	return slices.ContainsFunc(f.valuesOf(fn, v), func(a assigned) bool {
		call, ok := a.expr.(*ast.CallExpr)
		return ok && fullName(calleeOf(f.info, call)) == "context.WithoutCancel"
	})
}

// contextOf is the context that a call of the operation lives under.
func (f *finder) contextOf(fn *Func, call *ast.CallExpr) (c Context, bounded token.Pos) {
	e := f.contextArg(fn, call)
	if e == nil {
		if v := f.requestGiven(fn, call); v != nil {
			return Context{Origin: ContextRequest, Object: v, Pos: v.Pos()}, token.NoPos
		}
		if f.mayCarryContext(fn, call) {
			return Context{}, token.NoPos
		}
		return Context{Origin: ContextAbsent}, token.NoPos
	}
	t := f.traceContext(fn, e, nil)
	return Context{Origin: t.origin, Expr: e, Object: t.object, Pos: t.pos}, t.bounded
}

// contextArg is the context that a call is given: an argument, or that of a
// request among its arguments.
func (f *finder) contextArg(fn *Func, call *ast.CallExpr) ast.Expr {
	for _, a := range call.Args {
		if t := f.info.TypeOf(a); t != nil && isContext(t) {
			return a
		}
	}
	for _, a := range call.Args {
		if e := f.requestContext(fn, a); e != nil {
			return e
		}
	}
	return nil
}

// requestContext finds the context with which the request in a variable was
// made.
func (f *finder) requestContext(fn *Func, a ast.Expr) ast.Expr {
	if t := f.info.TypeOf(a); t == nil || t.String() != "*net/http.Request" {
		return nil
	}
	exprs := []ast.Expr{a}
	if v, ok := objectOf(f.info, a).(*types.Var); ok && !v.IsField() {
		for _, as := range f.valuesOf(fn, v) {
			if as.expr != nil {
				exprs = append(exprs, as.expr)
			}
		}
	}
	for _, e := range exprs {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			continue
		}
		switch fullName(calleeOf(f.info, call)) {
		case "net/http.NewRequestWithContext", "(net/http.Request).WithContext", "(net/http.Request).Clone":
			return call.Args[0]
		}
	}
	return nil
}

// requestGiven is the request among a call's arguments that the function was
// handed, with whatever context its maker gave it; nil if there is none.
func (f *finder) requestGiven(fn *Func, call *ast.CallExpr) *types.Var {
	for _, a := range call.Args {
		v := varOf(f.info, a)
		if v != nil && !v.IsField() && v.Type().String() == "*net/http.Request" && f.paramOf(fn, v) != nil {
			return v
		}
	}
	return nil
}

// mayCarryContext says whether a call without a context argument may still
// run under one: through a request, a receiver or a func value.
func (f *finder) mayCarryContext(fn *Func, call *ast.CallExpr) bool {
	exprs := append([]ast.Expr{call.Fun}, call.Args...)
	for _, e := range exprs {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && e == call.Fun {
			e = sel.X
		}
		t := f.info.TypeOf(e)
		if t == nil {
			continue
		}
		if _, ok := t.Underlying().(*types.Signature); ok && calleeOf(f.info, call) == nil {
			return true
		}
		if t.String() == "*net/http.Request" {
			if !f.madeBare(fn, e) {
				return true
			}
			continue
		}
		if hasContextField(t, 2) {
			return true
		}
	}
	return false
}

// madeBare says whether a request is made by http.NewRequest, and so has no
// context, wherever its variable is assigned.
func (f *finder) madeBare(fn *Func, e ast.Expr) bool {
	v, ok := objectOf(f.info, e).(*types.Var)
	if !ok || v.IsField() || f.paramOf(fn, v) != nil {
		return false
	}
	vals := f.valuesOf(fn, v)
	for _, a := range vals {
		call, ok := a.expr.(*ast.CallExpr)
		if !ok || fullName(calleeOf(f.info, call)) != "net/http.NewRequest" {
			return false
		}
	}
	return len(vals) > 0
}

func hasContextField(t types.Type, depth int) bool {
	return contextField(t, depth) != ""
}

// contextField is the path to a field of type context.Context, within depth
// steps through structs; "" if there is none.
func contextField(t types.Type, depth int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	for v := range s.Fields() {
		if isContext(v.Type()) {
			return v.Name()
		}
	}
	if depth > 1 {
		for v := range s.Fields() {
			if n, ok := types.Unalias(deref(v.Type())).(*types.Named); ok && n.Obj().Pkg() != nil && v.Pkg() == n.Obj().Pkg() {
				if p := contextField(v.Type(), depth-1); p != "" {
					return v.Name() + "." + p
				}
			}
		}
	}
	return ""
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// reachable is a context that could be used at pos, as source text.
func (f *finder) reachable(fn *Func, pos token.Pos) (string, ContextOrigin) {
	// A parameter of the function or of one around it.
	for g := fn; g != nil; g = g.Outer {
		for _, field := range g.Type().Params.List {
			for _, name := range field.Names {
				t := f.info.TypeOf(field.Type)
				if name.Name == "_" || t == nil {
					continue
				}
				if isContext(t) {
					return name.Name, ContextParam
				}
			}
		}
	}
	if name := f.localContext(fn, pos); name != "" {
		return name, ContextParam
	}
	for g := fn; g != nil; g = g.Outer {
		for _, field := range g.Type().Params.List {
			for _, name := range field.Names {
				t := f.info.TypeOf(field.Type)
				if name.Name != "_" && t != nil && hasContextMethod(t) {
					return name.Name + ".Context()", ContextRequest
				}
			}
		}
	}
	if d := fn.Declaration(); d != nil && d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
		if t := f.info.TypeOf(d.Recv.List[0].Type); t != nil {
			if p := contextField(t, 2); p != "" && d.Recv.List[0].Names[0].Name != "_" {
				return d.Recv.List[0].Names[0].Name + "." + p, ContextField
			}
		}
	}
	return "", ContextUnknown
}

// localContext is a local variable declared before pos that holds a context
// which something can end.
func (f *finder) localContext(fn *Func, pos token.Pos) string {
	scope := f.pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return ""
	}
	for s := scope; s != nil && s != f.pass.Pkg.Scope() && s != types.Universe; s = s.Parent() {
		for _, name := range s.Names() {
			v, ok := s.Lookup(name).(*types.Var)
			if !ok || v.Pos() >= pos || !isContext(v.Type()) {
				continue
			}
			for _, a := range f.valuesOf(fn, v) {
				call, ok := a.expr.(*ast.CallExpr)
				if !ok {
					continue
				}
				n := fullName(calleeOf(f.info, call))
				if strings.HasPrefix(n, "context.With") && n != "context.WithValue" || knownWrapper(n) || strings.HasSuffix(n, ".Context") {
					return name
				}
			}
		}
	}
	return ""
}

// hasContextMethod says whether a value has a method Context() that returns
// one.
func hasContextMethod(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Context")
	fn, ok := obj.(*types.Func)
	if !ok {
		return false
	}
	sig := fn.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && isContext(sig.Results().At(0).Type())
}
