package retrylib

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"time"
)

// An evaluator follows one call's options to a Policy. env says what the
// parameters of a function of the package were given by the call that is being
// followed.
type evaluator struct {
	*Scope
	env   *env
	depth int
}

type env struct {
	args  map[*types.Var]ast.Expr
	outer *env
}

// maxDepth bounds how far a value is followed.
const maxDepth = 12

// A frame is what the effects of one table row are applied to.
type frame struct {
	args []ast.Expr
	recv ast.Expr
	// on is the receiver's policy where it is known already: a setter called
	// on a variable whose changes are being replayed.
	on *Policy
	// spread says that the last argument is a slice followed by dots.
	spread bool
}

// deeper is the evaluator one step further on; ok is false at the limit.
func (ev evaluator) deeper() (evaluator, bool) {
	ev.depth++
	return ev, ev.depth <= maxDepth
}

// bound replaces a parameter by what it was given.
func (ev evaluator) bound(e ast.Expr) (evaluator, ast.Expr) {
	for ev.env != nil {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			break
		}
		v, ok := ev.info.Uses[id].(*types.Var)
		if !ok {
			break
		}
		arg, ok := ev.env.args[v]
		if !ok {
			break
		}
		e, ev.env = arg, ev.env.outer
	}
	return ev, e
}

// policy is the policy that an expression carries; its zero value where it
// can't be followed.
func (ev evaluator) policy(e ast.Expr) Policy {
	ev, ok := ev.deeper()
	if !ok || e == nil {
		return Policy{}
	}
	ev, e = ev.bound(e)
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return ev.policy(x.X)
		}
	case *ast.StarExpr:
		return ev.policy(x.X)
	case *ast.CompositeLit:
		return ev.literal(x)
	case *ast.CallExpr:
		return ev.call(x)
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.Ident, *ast.SelectorExpr:
		if fn, _ := funcRef(ev.info, x); fn != nil { // a delay function as a value
			if entry := Lookup(fn); entry != nil {
				var p Policy
				ev.apply(&p, entry, frame{})
				return p
			}
			return Policy{}
		}
		if v := variable(ev.info, x); v != nil {
			return ev.variable(v, x.Pos())
		}
	}
	return Policy{}
}

// call is the policy that a call returns.
func (ev evaluator) call(call *ast.CallExpr) Policy {
	if tv, ok := ev.info.Types[call.Fun]; ok && tv.IsType() {
		if len(call.Args) == 1 {
			return ev.policy(call.Args[0])
		}
		return Policy{}
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok { // called where it is written
		return ev.with(call, lit.Type).returned(lit.Body)
	}
	fn, recv := funcRef(ev.info, call.Fun)
	if fn == nil {
		return Policy{}
	}
	if entry := Lookup(fn); entry != nil {
		var p Policy
		ev.apply(&p, entry, frame{args: call.Args, recv: recv, spread: call.Ellipsis.IsValid()})
		return p
	}
	// A function of the package that makes the policy.
	inner, decl := ev.enter(call, fn)
	if decl == nil {
		return Policy{}
	}
	return inner.returned(decl.Body)
}

// returned is what the policies have in common that the returns of a function
// give.
func (ev evaluator) returned(body *ast.BlockStmt) Policy {
	var p Policy
	started := false
	for _, ret := range returns(body) {
		if len(ret.Results) == 0 {
			return Policy{}
		}
		if len(ret.Results) > 1 && ev.info.Types[ret.Results[0]].IsNil() {
			continue // beside an error: nothing is retried by it
		}
		q := ev.policy(ret.Results[0])
		if started {
			q = merge(p, q)
		}
		p, started = q, true
	}
	return p
}

// enter is an evaluator for the body of a function of the package, with its
// parameters bound to the call's arguments.
func (ev evaluator) enter(call *ast.CallExpr, fn *types.Func) (evaluator, *ast.FuncDecl) {
	decl := ev.funcs[fn.Origin()]
	if decl == nil || decl.Body == nil {
		return ev, nil
	}
	return ev.with(call, decl.Type), decl
}

// with binds a function's parameters to a call's arguments.
func (ev evaluator) with(call *ast.CallExpr, fn *ast.FuncType) evaluator {
	args := make(map[*types.Var]ast.Expr)
	i := 0
	for _, field := range fn.Params.List {
		for _, name := range field.Names {
			if v, ok := ev.info.Defs[name].(*types.Var); ok && i < len(call.Args) {
				if _, variadic := field.Type.(*ast.Ellipsis); !variadic || call.Ellipsis.IsValid() {
					args[v] = call.Args[i]
				}
			}
			i++
		}
	}
	ev.env = &env{args: args, outer: ev.env}
	return ev
}

// variable is the policy that a variable or field holds at pos: its changes
// are replayed in source order.
func (ev evaluator) variable(v *types.Var, pos token.Pos) Policy {
	if v.Pkg() != nil {
		if entry := lookup(KindVar, v.Pkg().Path(), "", v.Name()); entry != nil && !v.IsField() {
			var p Policy
			ev.apply(&p, entry, frame{})
			return p
		}
	}
	if v.IsField() {
		only := ev.single(v)
		if only == nil {
			return Policy{}
		}
		p := ev.policy(only)
		for _, c := range ev.defs[v] {
			ev.change(&p, v, c, false)
		}
		return p
	}
	changes, certain := ev.reaching(v, pos)
	var p Policy
	started := false
	for i, c := range changes {
		switch {
		case c.field != nil || c.call != nil:
			ev.change(&p, v, c, certain[i])
		case c.zero:
			if entry := ev.literalEntry(v.Type()); entry != nil {
				ev.apply(&p, entry, frame{})
				started = true
			}
		case c.value == nil:
			return Policy{}
		default:
			q := ev.policy(c.value)
			if started && !certain[i] {
				q = merge(p, q)
			}
			p, started = q, true
		}
	}
	return p
}

// change applies the assignment of a field, or a setter, to p.
func (ev evaluator) change(p *Policy, v *types.Var, c change, certain bool) {
	q := *p
	switch {
	case c.field != nil:
		if c.field.Pkg() == nil {
			return
		}
		entry := lookup(KindField, c.field.Pkg().Path(), typeName(v.Type()), c.field.Name())
		if entry == nil {
			return
		}
		ev.apply(&q, entry, frame{args: []ast.Expr{c.value}})
	case c.call != nil:
		ev.setter(&q, c.call)
	}
	if certain {
		*p = q
	} else {
		*p = merge(*p, q)
	}
}

// setter applies a statement that calls setters, in a chain or alone.
func (ev evaluator) setter(p *Policy, call *ast.CallExpr) {
	fn, recv := funcRef(ev.info, call.Fun)
	if inner, ok := ast.Unparen(recv).(*ast.CallExpr); recv != nil && ok {
		ev.setter(p, inner)
	}
	if entry := Lookup(fn); entry != nil && (entry.Kind == KindPolicy || entry.Kind == KindClient) {
		on := *p
		ev.apply(p, entry, frame{args: call.Args, recv: recv, on: &on, spread: call.Ellipsis.IsValid()})
	}
}

// literalEntry is the table's row for a struct of settings.
func (ev evaluator) literalEntry(t types.Type) *Entry {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	return lookup(KindLiteral, n.Obj().Pkg().Path(), n.Obj().Name(), "")
}

// literal is the policy of a struct of settings, or of a list of delays.
func (ev evaluator) literal(lit *ast.CompositeLit) Policy {
	t := ev.info.TypeOf(lit)
	if s, ok := t.Underlying().(*types.Slice); ok && types.TypeString(s.Elem(), nil) == "time.Duration" {
		return Policy{
			Attempts: Count{State: StateConst, N: int64(len(lit.Elts)) + 1},
			Deadline: Span{State: StateNone},
			Jitter:   No,
			Cap:      Span{State: StateGiven},
		}
	}
	entry := ev.literalEntry(t)
	if entry == nil {
		return Policy{}
	}
	var p Policy
	ev.apply(&p, entry, frame{})
	for i, elt := range lit.Elts {
		var field *types.Var
		val := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				field, _ = ev.info.ObjectOf(key).(*types.Var)
			}
			val = kv.Value
		} else if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
			field = s.Field(i)
		}
		if field == nil {
			continue
		}
		if f := lookup(KindField, entry.Path, entry.Recv, field.Name()); f != nil {
			ev.apply(&p, f, frame{args: []ast.Expr{val}})
		}
	}
	return p
}

// apply carries out the effects of a table row on p.
func (ev evaluator) apply(p *Policy, entry *Entry, f frame) {
	for _, e := range entry.effects {
		switch e.field {
		case "policy":
			if e.value.arg == argRecv && f.on != nil {
				*p = *f.on
				continue
			}
			before := *p
			*p = ev.policy(f.arg(e.value))
			if p.Classify == Unknown {
				p.Classify = before.Classify
			}
		case "waits":
			q := ev.policy(f.arg(e.value))
			p.Delay, p.Base, p.Cap, p.Jitter = q.Delay, q.Base, q.Cap, q.Jitter
		case "opts":
			ev.options(p, f, int(e.value.n))
		case "mix":
			ev.mix(p, f, int(e.value.n))
		case "pick":
			ev.pick(p, f, int(e.value.n))
		case "attempts":
			p.Attempts = ev.count(e, f)
		case "deadline":
			p.Deadline = ev.span(e, f)
		case "base":
			p.Base = ev.span(e, f)
		case "cap":
			p.Cap = ev.span(e, f)
		case "delay":
			p.Delay = ev.delay(e, f)
		case "jitter":
			p.Jitter = ev.truth(e, f)
		case "classify":
			p.Classify = ev.truth(e, f)
		case "ctx":
			p.Context = ev.context(e, f)
		case "wait":
			p.Wait = map[string]Wait{"blind": WaitBlind, "context": WaitContext, "stop": WaitStop}[e.value.word]
		}
	}
}

// arg is the expression that a value refers to, nil if there is none.
func (f frame) arg(v value) ast.Expr {
	switch {
	case v.arg == argRecv:
		return f.recv
	case v.arg >= 0 && v.arg < len(f.args) && !(f.spread && v.arg == len(f.args)-1):
		return f.args[v.arg]
	}
	return nil
}

// resolve picks the exception that a constant argument calls for.
func (ev evaluator) resolve(e effect, f frame) (v value, expr ast.Expr, c constant.Value) {
	if e.value.arg == argNone {
		return e.value, nil, nil
	}
	in, arg := ev.bound(f.arg(e.value))
	if arg == nil {
		return value{word: "?"}, nil, nil
	}
	c = in.constant(arg)
	if c != nil && c.Kind() != constant.Bool && c.Kind() != constant.String {
		for _, x := range e.when {
			if constant.Sign(c) == x.sign {
				return x.value, arg, c
			}
		}
	}
	return e.value, arg, c
}

func (ev evaluator) count(e effect, f frame) Count {
	v, expr, c := ev.resolve(e, f)
	switch {
	case v.word == "unbounded":
		return Count{State: StateNone, Expr: expr}
	case v.word != "":
		return Count{Expr: expr}
	case v.isInt:
		return Count{State: StateConst, N: v.n, Expr: expr}
	case v.isLen:
		_, arg := ev.bound(expr)
		if lit, ok := ast.Unparen(arg).(*ast.CompositeLit); ok {
			return Count{State: StateConst, N: int64(len(lit.Elts)) + v.n, Expr: expr}
		}
		return Count{State: StateGiven, Expr: expr}
	case c != nil:
		n, exact := constant.Int64Val(constant.ToInt(c))
		if !exact || n+v.n < 1 {
			return Count{Expr: expr}
		}
		return Count{State: StateConst, N: n + v.n, Expr: expr}
	}
	return Count{State: StateGiven, Expr: expr}
}

func (ev evaluator) span(e effect, f frame) Span {
	v, expr, c := ev.resolve(e, f)
	switch {
	case v.word == "none":
		return Span{State: StateNone, Expr: expr}
	case v.word != "":
		return Span{Expr: expr}
	case v.isDur, v.isInt:
		return Span{State: StateConst, D: v.d + time.Duration(v.n), Expr: expr}
	case c != nil:
		n, exact := constant.Int64Val(constant.ToInt(c))
		if !exact {
			return Span{Expr: expr}
		}
		if n <= 0 && (e.field == "deadline" || e.field == "cap") {
			return Span{State: StateNone, Expr: expr}
		}
		return Span{State: StateConst, D: time.Duration(n), Expr: expr}
	}
	return Span{State: StateGiven, Expr: expr}
}

// delay is the kind of delay: a word, or by a factor, where more than one
// grows.
func (ev evaluator) delay(e effect, f frame) Delay {
	v, _, c := ev.resolve(e, f)
	switch v.word {
	case "none":
		return DelayNone
	case "constant":
		return DelayConstant
	case "growing":
		return DelayGrowing
	}
	if v.word == "" && c != nil {
		if constant.Compare(constant.ToFloat(c), token.GTR, constant.MakeInt64(1)) {
			return DelayGrowing
		}
		return DelayConstant
	}
	return DelayUnknown
}

// truth is a yes or no: a word, a bool, a number other than 0, or a func,
// interface or slice other than nil.
func (ev evaluator) truth(e effect, f frame) Truth {
	v, expr, c := ev.resolve(e, f)
	switch {
	case v.word == "yes":
		return Yes
	case v.word == "no":
		return No
	case v.word != "":
		return Unknown
	case c != nil && c.Kind() == constant.Bool:
		return truthOf(constant.BoolVal(c))
	case c != nil && c.Kind() != constant.String:
		return truthOf(constant.Sign(c) != 0)
	}
	if tv, ok := ev.info.Types[expr]; ok {
		if tv.IsNil() || ev.alwaysTrue(expr) {
			return No
		}
		switch tv.Type.Underlying().(type) {
		case *types.Signature, *types.Slice, *types.Interface, *types.Struct, *types.Pointer:
			return Yes
		}
	}
	return Unknown
}

// alwaysTrue says whether a predicate does nothing but say yes.
func (ev evaluator) alwaysTrue(e ast.Expr) bool {
	var body *ast.BlockStmt
	switch f := ev.closure(e, 3).(type) {
	case *ast.FuncLit:
		body = f.Body
	case *ast.FuncDecl:
		body = f.Body
	default:
		return false
	}
	if len(body.List) != 1 {
		return false
	}
	ret, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	c := ev.constant(ret.Results[0])
	return c != nil && c.Kind() == constant.Bool && constant.BoolVal(c)
}

func truthOf(b bool) Truth {
	if b {
		return Yes
	}
	return No
}

func (ev evaluator) context(e effect, f frame) Context {
	if e.value.word == "none" {
		return Context{Given: No}
	}
	_, arg := ev.bound(f.arg(e.value))
	if arg == nil {
		return Context{}
	}
	// A stop channel taken from a context names that context.
	if call, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Done" && isContext(ev.info.TypeOf(sel.X)) {
			arg = sel.X
		}
	}
	return Context{Given: Yes, Expr: arg}
}
