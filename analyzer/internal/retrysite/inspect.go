package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// inspections reads the conditions on the outcome that the two walks of an
// operation crossed.
func (f *finder) inspections(fn *Func, c *candidate) (list []Inspection) {
	add := func(w *walk, onlyStatus bool) {
		for _, l := range w.looks {
			if onlyStatus && !f.looksAtStatus(l.full) {
				continue
			}
			in, ok := f.inspectionOf(fn, l)
			if !ok {
				in, ok = f.handlerAsked(fn, l.expr)
			}
			if !ok {
				in, ok = f.pauseAsked(fn, l.expr)
			}
			if ok && !(onlyStatus && leadsOn(in)) {
				in.Stops, in.Last, in.Only = l.stops, l.last, l.stops && onlyFound(l, l.full)
				in.Idle = !l.stops && f.idle(fn, l.expr)
				list = append(list, in)
			}
		}
	}
	add(c.fail, false)
	add(c.success, true)
	list = append(list, f.stateAsked(c)...)
	slices.SortFunc(list, func(a, b Inspection) int { return int(a.Pos - b.Pos) })
	return slices.CompactFunc(list, func(a, b Inspection) bool { return a.Pos == b.Pos })
}

// leadsOn says whether a look at an answer asks only whether it names another
// place to go to, which is no failure.
func leadsOn(in Inspection) bool {
	for _, v := range in.Values {
		code, exact := constant.Int64Val(constant.ToInt(v))
		if !exact || code/100 != 3 {
			return false
		}
	}
	return len(in.Values) > 0
}

// onlyFound says whether only a failure that is the one which a look asks for
// comes back.
func onlyFound(l *look, cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.CallExpr:
		return l.onYes && !l.onNo
	case *ast.BinaryExpr:
		if e.Op == token.LAND && l.onYes && !l.onNo {
			return onlyFound(l, e.X) || onlyFound(l, e.Y)
		}
		return e.Op == token.EQL && l.onYes && !l.onNo || e.Op == token.NEQ && l.onNo && !l.onYes
	case *ast.UnaryExpr:
		_, asks := ast.Unparen(e.X).(*ast.CallExpr)
		return e.Op == token.NOT && asks && l.onNo && !l.onYes
	}
	return false
}

// handlerAsked recognises a function that is given the error and answers with
// another one, nil for "go on", or with how long to wait, 0 for "stop":
// if stop := c.handle(err); stop != nil.
func (f *finder) handlerAsked(fn *Func, cond ast.Expr) (in Inspection, ok bool) {
	b, isComparison := ast.Unparen(cond).(*ast.BinaryExpr)
	if !isComparison {
		return in, false
	}
	asked, _ := objectOf(f.info, b.X).(*types.Var)
	if asked == nil || asked.IsField() {
		return in, false
	}
	switch number := isInteger(asked.Type()) && f.info.Types[b.Y].Value != nil; {
	case number, isError(asked.Type()) && f.info.Types[b.Y].IsNil():
	default:
		return in, false
	}
	for _, a := range f.valuesOf(fn, asked) {
		call, isCall := a.expr.(*ast.CallExpr)
		if !isCall {
			continue
		}
		callee := calleeOf(f.info, call)
		if callee == nil || callee.Pkg() == nil || callee.Pkg() != f.pass.Pkg && !backoffName(callee.Name()) {
			continue // one that wraps an error, as a rule
		}
		for _, arg := range call.Args {
			v, _ := objectOf(f.info, arg).(*types.Var)
			_, made := ast.Unparen(arg).(*ast.CallExpr) // backoffer.Backoff(fmt.Errorf("get: %w", err))
			same := v == asked && !f.mayGoOn(callee)    // err = wrap(err)
			if v != nil && !same && isError(v.Type()) || made && isError(f.info.TypeOf(arg)) && f.mentionsError(arg) {
				return Inspection{How: InspectPredicate, Pos: cond.Pos(), Expr: cond, Callee: callee}, true
			}
		}
	}
	return in, false
}

// mayGoOn says whether a function of the package that is given an error may answer
// with none.
func (f *finder) mayGoOn(callee *types.Func) (found bool) {
	fn := f.res.FuncOf(callee)
	if fn == nil || fn.Body() == nil {
		return false
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			found = found || f.info.Types[r.Results[0]].IsNil()
		}
	})
	return found
}

// pauseAsked recognises a function that is given the error and answers with how
// long to wait, nothing for "give up": if d := c.pause(err); d <= 0.
func (f *finder) pauseAsked(fn *Func, cond ast.Expr) (in Inspection, ok bool) {
	b, isComparison := ast.Unparen(cond).(*ast.BinaryExpr)
	if !isComparison || f.info.Types[b.Y].Value == nil {
		return in, false
	}
	asked, _ := objectOf(f.info, b.X).(*types.Var)
	if asked == nil || asked.IsField() || !isInteger(asked.Type()) { // durations are such
		return in, false
	}
	for _, a := range f.valuesOf(fn, asked) {
		if call, isCall := a.expr.(*ast.CallExpr); isCall && f.givenError(call) {
			return Inspection{How: InspectPredicate, Pos: cond.Pos(), Expr: cond, Callee: calleeOf(f.info, call)}, true
		}
	}
	return in, false
}

// inspectionOf is inspection for a look of a walk: only what of its condition is
// about the outcome counts, not a counter or a policy beside it.
func (f *finder) inspectionOf(fn *Func, l *look) (in Inspection, ok bool) {
	for _, part := range l.parts {
		p, looks := f.inspection(fn, part)
		if !looks {
			p, looks = f.codeCompared(part)
		}
		switch {
		case !looks:
		case !ok:
			in, ok = p, true
		default:
			in.How = min(in.How, p.How)
			in.Values = append(in.Values, p.Values...)
			if o := in.Sentinel; o != nil && o.Pkg() != nil && o.Pkg().Path() == "context" {
				in.Sentinel = p.Sentinel // the end of a context is the least of what is asked
			}
			if in.Callee == nil {
				in.Callee = p.Callee
			}
		}
	}
	in.Pos, in.Expr = l.expr.Pos(), l.expr
	return in, ok
}

// inspection says how a condition of fn looks at an error; not ok if it only
// compares with nil.
func (f *finder) inspection(fn *Func, cond ast.Expr) (in Inspection, ok bool) {
	in = Inspection{Pos: cond.Pos(), Expr: cond}
	set := func(how InspectHow) {
		if in.How == 0 || how < in.How {
			in.How = how
		}
	}
	if isError(f.info.TypeOf(cond)) { // the operand of a type switch or a switch's tag
		set(InspectType)
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
				return true
			}
			callee := calleeOf(f.info, n)
			in.Callee = callee
			switch name := fullName(callee); {
			case name == "errors.Is":
				set(InspectIs)
				if len(n.Args) == 2 {
					in.Sentinel = objectOf(f.info, n.Args[1])
				}
			case name == "errors.As", name == "errors.AsType":
				set(InspectAs)
			case strings.HasPrefix(name, "strings.") || strings.HasPrefix(name, "(regexp.Regexp).") || strings.HasPrefix(name, "bytes."):
				set(InspectText)
			case callee != nil && (callee.Name() == "Code" || callee.Name() == "StatusCode" || callee.Name() == "GRPCStatus"):
				set(InspectStatus)
			default:
				set(InspectPredicate)
			}
			return true
		case *ast.TypeAssertExpr:
			set(InspectType)
		case *ast.IndexExpr:
			if isBool(f.info.TypeOf(n)) { // a table of what to repeat: retried[resp.StatusCode]
				set(InspectStatus)
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				return true
			}
			f.comparison(n, &in, set)
		case *ast.Ident:
			if v, ok := f.info.ObjectOf(n).(*types.Var); ok && !isError(v.Type()) {
				if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
					set(f.answerOf(fn, v))
				}
			}
		}
		return true
	})
	return in, in.How != 0
}

// codeCompared recognises a comparison of what the operation answered, or of
// what was read from its error, with a constant, whatever it is called.
func (f *finder) codeCompared(e ast.Expr) (in Inspection, ok bool) {
	b, isComparison := ast.Unparen(e).(*ast.BinaryExpr)
	if !isComparison || b.Op != token.EQL && b.Op != token.NEQ {
		return in, false
	}
	for _, side := range []ast.Expr{b.X, b.Y} {
		if tv := f.info.Types[side]; tv.Value != nil && tv.Value.Kind() == constant.Int {
			return Inspection{How: InspectStatus, Values: []constant.Value{tv.Value}}, true
		}
	}
	return in, false
}

// answerOf says what a bool was asked for: one that a type assertion or one of
// the functions of package errors gives says what kind of error it is.
func (f *finder) answerOf(fn *Func, v *types.Var) InspectHow {
	for _, a := range f.valuesOf(fn, v) {
		switch e := ast.Unparen(a.expr).(type) {
		case *ast.TypeAssertExpr:
			return InspectType
		case *ast.CallExpr:
			switch fullName(calleeOf(f.info, e)) {
			case "errors.Is":
				return InspectIs
			case "errors.As", "errors.AsType":
				return InspectAs
			}
		}
	}
	return InspectResult
}

func (f *finder) comparison(b *ast.BinaryExpr, in *Inspection, set func(InspectHow)) {
	for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x, y := pair[0], pair[1]
		tx, vy := f.info.TypeOf(x), f.info.Types[y]
		if tx == nil || vy.IsNil() {
			continue
		}
		switch {
		case isError(tx):
			if o := objectOf(f.info, y); o != nil && (in.Sentinel == nil || o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope()) {
				in.Sentinel = o
			}
			set(InspectSentinel)
		case vy.Value != nil && vy.Value.Kind() == constant.String && mentionsErrorText(x):
			set(InspectText)
		case vy.Value != nil && (isInteger(tx) || vy.Value.Kind() == constant.String) && !isDuration(tx) && !f.isPlainCount(x):
			in.Values = append(in.Values, vy.Value)
			set(InspectStatus)
		}
	}
}

// isPlainCount says whether e is a variable whose name speaks of no status: a
// counter that stands in the same condition as the look.
func (f *finder) isPlainCount(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && isInteger(f.info.TypeOf(id)) && !f.looksAtStatus(id)
}

func mentionsErrorText(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Error" && len(call.Args) == 0
}
