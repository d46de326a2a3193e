package retrylib

import (
	"go/ast"
	"go/token"
	"go/types"
)

// options applies the option values in the arguments from index i on.
func (ev evaluator) options(p *Policy, f frame, i int) {
	for ; i < len(f.args); i++ {
		if f.spread && i == len(f.args)-1 {
			ev.list(p, f.args[i], f.args[i].Pos())
		} else {
			ev.option(p, f.args[i])
		}
	}
}

// option applies one option value. One that can't be followed may have changed
// anything.
func (ev evaluator) option(p *Policy, e ast.Expr) {
	ev, ok := ev.deeper()
	if !ok {
		*p = Policy{}
		return
	}
	ev, e = ev.bound(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if tv, ok := ev.info.Types[x.Fun]; ok && tv.IsType() && len(x.Args) == 1 {
			ev.option(p, x.Args[0])
			return
		}
		fn, recv := funcRef(ev.info, x.Fun)
		if entry := Lookup(fn); entry != nil {
			ev.apply(p, entry, frame{args: x.Args, recv: recv, spread: x.Ellipsis.IsValid()})
			return
		}
		if fn != nil {
			if inner, decl := ev.enter(x, fn); decl != nil {
				if ret := onlyReturn(decl.Body); ret != nil && len(ret.Results) == 1 {
					inner.option(p, ret.Results[0])
					return
				}
			}
		}
	case *ast.FuncLit:
		if ev.setterLiteral(p, x) {
			return
		}
	case *ast.Ident, *ast.SelectorExpr:
		if fn, _ := funcRef(ev.info, x); fn != nil {
			if decl := ev.funcs[fn.Origin()]; decl != nil && decl.Body != nil && ev.setterBody(p, decl.Type, decl.Body) {
				return
			}
		} else if only := ev.single(variable(ev.info, x)); only != nil {
			ev.option(p, only)
			return
		}
	}
	*p = Policy{}
}

// list applies a slice of options: a literal, a variable that is filled by
// append, or append itself.
func (ev evaluator) list(p *Policy, e ast.Expr, pos token.Pos) {
	ev, ok := ev.deeper()
	if !ok {
		*p = Policy{}
		return
	}
	ev, e = ev.bound(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		for _, elt := range x.Elts {
			ev.option(p, elt)
		}
		return
	case *ast.CallExpr:
		if ev.appends(x) {
			ev.list(p, x.Args[0], x.Pos())
			ev.options(p, frame{args: x.Args, spread: x.Ellipsis.IsValid()}, 1)
			return
		}
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && id.Name == "make" && ev.isBuiltin(id) {
			return
		}
		if fn := Callee(ev.info, x); fn != nil {
			if inner, decl := ev.enter(x, fn); decl != nil {
				if ret := onlyReturn(decl.Body); ret != nil && len(ret.Results) > 0 {
					inner.list(p, ret.Results[0], ret.End())
					return
				}
			}
		}
	case *ast.Ident, *ast.SelectorExpr:
		if v := variable(ev.info, x); v != nil {
			ev.listVariable(p, v, pos)
			return
		}
		if tv := ev.info.Types[x]; tv.IsNil() {
			return
		}
	}
	*p = Policy{}
}

// listVariable replays what was done to a slice of options.
func (ev evaluator) listVariable(p *Policy, v *types.Var, pos token.Pos) {
	if v.IsField() {
		if only := ev.single(v); only != nil {
			ev.list(p, only, only.End())
			return
		}
		*p = Policy{}
		return
	}
	start := *p
	changes, certain := ev.reaching(v, pos)
	if len(changes) == 0 { // a parameter
		*p = Policy{}
		return
	}
	for i, c := range changes {
		q := start
		switch {
		case c.zero:
		case c.value == nil:
			*p = Policy{}
			return
		default:
			if call, ok := ast.Unparen(c.value).(*ast.CallExpr); ok && ev.appends(call) && variable(ev.info, call.Args[0]) == v {
				q = *p
				ev.options(&q, frame{args: call.Args, spread: call.Ellipsis.IsValid()}, 1)
				if c.loop != nil {
					q = merge(*p, q)
				}
			} else {
				ev.list(&q, c.value, c.pos)
			}
		}
		if certain[i] {
			*p = q
		} else {
			*p = merge(*p, q)
		}
	}
}

func (ev evaluator) appends(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "append" && len(call.Args) > 0 && ev.isBuiltin(id)
}

func (ev evaluator) isBuiltin(id *ast.Ident) bool {
	_, ok := ev.info.Uses[id].(*types.Builtin)
	return ok
}

// setterLiteral applies an option that is a function assigning fields of its
// one parameter, as in func(o *retry.StandardOptions) { o.MaxAttempts = 5 }.
func (ev evaluator) setterLiteral(p *Policy, lit *ast.FuncLit) bool {
	return ev.setterBody(p, lit.Type, lit.Body)
}

func (ev evaluator) setterBody(p *Policy, t *ast.FuncType, body *ast.BlockStmt) bool {
	if t.Params == nil || len(t.Params.List) != 1 || len(t.Params.List[0].Names) != 1 {
		return false
	}
	param, ok := ev.info.Defs[t.Params.List[0].Names[0]].(*types.Var)
	if !ok {
		return false
	}
	for _, stmt := range body.List {
		as, ok := stmt.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || as.Tok != token.ASSIGN {
			return false
		}
		sel, ok := as.Lhs[0].(*ast.SelectorExpr)
		if !ok || variable(ev.info, sel.X) != param {
			return false
		}
		field, ok := ev.info.ObjectOf(sel.Sel).(*types.Var)
		if !ok || field.Pkg() == nil {
			return false
		}
		if entry := lookup(KindField, field.Pkg().Path(), typeName(param.Type()), field.Name()); entry != nil {
			ev.apply(p, entry, frame{args: as.Rhs})
		}
	}
	return true
}

// mix is the sum of several delay functions: it grows if one does, and is
// random if one is.
func (ev evaluator) mix(p *Policy, f frame, i int) {
	if f.spread || i >= len(f.args) {
		p.Delay, p.Jitter, p.Base, p.Cap = DelayUnknown, Unknown, Span{}, Span{}
		return
	}
	p.Delay, p.Jitter = DelayConstant, No
	for _, arg := range f.args[i:] {
		q := ev.policy(arg)
		switch {
		case q.Delay == DelayUnknown:
			p.Delay = DelayUnknown
		case q.Delay == DelayGrowing && p.Delay != DelayUnknown:
			p.Delay = DelayGrowing
		}
		switch {
		case q.Jitter == Yes:
			p.Jitter = Yes
		case q.Jitter == Unknown && p.Jitter == No:
			p.Jitter = Unknown
		}
	}
}

// pick finds the retry policy among policies of several kinds. Without one
// there is a single attempt.
func (ev evaluator) pick(p *Policy, f frame, i int) {
	ctx, wait := p.Context, p.Wait
	unknown := f.spread
	limited := false
	var found *Policy
	for ; i < len(f.args) && !unknown; i++ {
		e, arg := ev.bound(f.args[i])
		switch typeName(ev.info.TypeOf(arg)) {
		case "RetryPolicy":
			q := e.policy(arg)
			unknown = found != nil
			found = &q
		case "HedgePolicy", "Policy", "":
			unknown = true
		case "Timeout":
			limited = true
		}
	}
	switch {
	case unknown:
		*p = Policy{}
	case found != nil:
		*p = *found
	}
	if limited && !unknown {
		p.Deadline = Span{State: StateGiven}
	}
	p.Context, p.Wait = ctx, wait
}
