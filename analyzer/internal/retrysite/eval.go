package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// eval says what e is in st.
func (w *walk) eval(st state, e ast.Expr) value {
	if w.ended != nil {
		if v, ok := w.evalEnded(st, e); ok {
			return v
		}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT && e.Value == "0" {
			return value{is: isNil}
		}
	case *ast.Ident:
		switch obj := w.info.ObjectOf(e).(type) {
		case *types.Nil:
			return value{is: isNil}
		case *types.Const:
			if obj.Parent() == types.Universe && (obj.Name() == "true" || obj.Name() == "false") {
				return value{is: boolValue(obj.Name() == "true")}
			}
			return value{}
		}
		return st.of(refOf(w.info, e))
	case *ast.SelectorExpr:
		if r := refOf(w.info, e); r.root != nil {
			if v := st.of(r); v != (value{}) {
				return v
			}
			return value{outcome: st.outcomeOf(r)}
		}
		return value{outcome: w.mentions(st, e)}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT:
			v := w.eval(st, e.X)
			v.is = v.is.not()
			return v
		case token.AND:
			return value{is: isSet, outcome: w.mentions(st, e.X)}
		}
	case *ast.BinaryExpr:
		return w.evalBinary(st, e)
	case *ast.CallExpr:
		return w.evalCall(st, e)
	case *ast.CompositeLit:
		return value{is: isSet, outcome: w.mentions(st, e)}
	case *ast.TypeAssertExpr:
		return value{outcome: w.mentions(st, e.X)}
	}
	return value{outcome: w.mentions(st, e)}
}

func (w *walk) evalBinary(st state, e *ast.BinaryExpr) value {
	x, y := w.eval(st, e.X), w.eval(st, e.Y)
	v := value{outcome: x.outcome || y.outcome}
	switch e.Op {
	case token.LAND:
		switch {
		case x.is == isFalse || y.is == isFalse:
			v.is = isFalse
		case x.is == isTrue && y.is == isTrue:
			v.is = isTrue
		}
	case token.LOR:
		switch {
		case x.is == isTrue || y.is == isTrue:
			v.is = isTrue
		case x.is == isFalse && y.is == isFalse:
			v.is = isFalse
		}
	case token.GTR, token.LEQ:
		if x.is == isSet && y.is == isNil { // a counter that was counted up, and 0
			v.is = boolValue(e.Op == token.GTR)
		}
	case token.EQL, token.NEQ:
		eq := isUnknown
		switch {
		case x.is == isUnknown || y.is == isUnknown:
		case x.is == isNil && y.is == isNil:
			eq = isTrue
		case x.is == isNil && y.is == isSet, x.is == isSet && y.is == isNil:
			eq = isFalse
		case x.is == isTrue || x.is == isFalse:
			eq = boolValue(x.is == y.is)
		}
		if eq == isUnknown {
			eq = w.sameWord(st, e.X, e.Y)
		}
		if eq == isUnknown {
			eq = w.sameCode(st, e.X, e.Y)
		}
		// A nil error equals no sentinel, and no value of a type that is an error.
		if eq == isUnknown && (x.is == isNil && (w.sentinel(e.Y) || w.setError(e.X, e.Y)) || y.is == isNil && (w.sentinel(e.X) || w.setError(e.Y, e.X))) {
			eq = isFalse
		}
		if e.Op == token.NEQ {
			eq = eq.not()
		}
		v.is = eq
	}
	return v
}

// sameCode says what a comparison of a gRPC code with a constant is: of a nil
// error the code is OK, of another one it is not.
func (w *walk) sameCode(st state, x, y ast.Expr) is {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	constant, isConst := objectOf(w.info, y).(*types.Const)
	if !ok || !isConst || len(call.Args) != 1 {
		return isUnknown
	}
	if callee, _ := typeutil.Callee(w.info, call).(*types.Func); fullName(callee) != "google.golang.org/grpc/status.Code" {
		return isUnknown
	}
	switch failed := w.eval(st, call.Args[0]).is; {
	case failed == isNil:
		return boolValue(constant.Name() == "OK")
	case failed == isSet && constant.Name() == "OK":
		return isFalse
	}
	return isUnknown
}

// setError says whether an error is compared with a value of one certain type,
// as a status code may be.
func (w *walk) setError(err, with ast.Expr) bool {
	tv := w.info.Types[with]
	return isError(w.info.TypeOf(err)) && tv.IsValue() && !types.IsInterface(tv.Type) && implementsError(tv.Type)
}

// sentinel says whether e is a package-level error variable.
func (w *walk) sentinel(e ast.Expr) bool {
	v, ok := objectOf(w.info, e).(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && isError(v.Type())
}

// evalCall evaluates a call that has one result, or the error of one that has
// more.
func (w *walk) evalCall(st state, call *ast.CallExpr) value {
	if call == w.op {
		if w.err < 0 {
			return value{outcome: true}
		}
		return value{is: w.outcomeIs(), outcome: true}
	}
	if tv, ok := w.info.Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return w.eval(st, call.Args[0])
	}
	v := value{outcome: w.mentions(st, call)}
	callee, _ := typeutil.Callee(w.info, call).(*types.Func)
	switch name := fullName(callee); name {
	case "errors.New", "fmt.Errorf":
		v.is = isSet
		return v
	case "errors.Join":
		v.is = isNil
		for _, a := range call.Args {
			switch w.eval(st, a).is {
			case isSet:
				v.is = isSet
				return v
			case isUnknown:
				v.is = isUnknown
			}
		}
		return v
	case "errors.Is", "errors.As", "errors.AsType":
		if len(call.Args) > 0 && w.eval(st, call.Args[0]).is == isNil {
			v.is = isFalse
		}
		return v
	}
	if v.is = w.wordHas(st, callee, call); v.is != isUnknown {
		return v
	}
	if wraps(callee) && len(call.Args) > 0 {
		for _, a := range call.Args {
			if isError(w.info.TypeOf(a)) {
				v.is = w.eval(st, a).is
				return v
			}
		}
	}
	// What makes an error of nothing but an error makes none of nil, be it that
	// it unwraps it or that it adds to it.
	if len(call.Args) == 1 && isError(w.info.TypeOf(call.Args[0])) && (isError(w.info.TypeOf(call)) || isPointer(w.info.TypeOf(call)) && implementsError(w.info.TypeOf(call))) && w.eval(st, call.Args[0]).is == isNil {
		v.is = isNil
		return v
	}
	// A predicate on an error alone says no to nil, which is of no kind and
	// nothing to retry. Otherwise it is not known.
	if len(call.Args) == 1 && isError(w.info.TypeOf(call.Args[0])) && asksKind(callee) && w.eval(st, call.Args[0]).is == isNil {
		v.is = isFalse
		return v
	}
	if !v.outcome && !w.fail && errorIndex(w.info, call) == 0 && !isContextErr(callee) {
		v.is = isNil // success means that all that is tried succeeds
	}
	return v
}

// asksKind says whether a predicate is named for asking of what kind an error
// is, or whether it is worth another attempt.
func asksKind(fn *types.Func) bool {
	if fn == nil || fn.Signature().Results().Len() != 1 || !types.Identical(fn.Signature().Results().At(0).Type(), types.Typ[types.Bool]) {
		return false
	}
	name := strings.ToLower(fn.Name())
	for _, s := range []string{"ok", "success", "succeeded", "nil", "noerr", "noterr", "none", "done", "ignor"} {
		if strings.Contains(name, s) {
			return false
		}
	}
	return strings.HasPrefix(name, "is") || classifierName(fn.Name())
}

func (w *walk) outcomeIs() is {
	if w.fail {
		return isSet
	}
	return isNil
}

// wraps says whether a function returns nil for a nil error and else an error
// that holds it.
func wraps(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); {
	case fn.Pkg().Name() == "errors", // one of the packages that stand in for the standard one
		path == "github.com/hashicorp/errwrap", path == "github.com/palantir/stacktrace", path == "golang.org/x/xerrors":
		return strings.HasPrefix(fn.Name(), "Wrap") || strings.HasPrefix(fn.Name(), "With") || fn.Name() == "Trace" || fn.Name() == "Annotate" || fn.Name() == "Annotatef"
	}
	return false
}

// mentions says whether e uses anything that depends on the outcome.
func (w *walk) mentions(st state, e ast.Node) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := w.info.ObjectOf(n).(*types.Var); ok && st.of(ref{root: v}).outcome {
				found = true
			}
		case *ast.SelectorExpr:
			if r := refOf(w.info, n); r.root != nil && (st.of(r).outcome || st.outcomeOf(r)) {
				found = true
			}
		case *ast.CallExpr:
			if n == w.op {
				found = true
			}
		}
		return !found
	})
	return found
}

// roundTrip says whether a call is one of a transport, which gives no response
// beside an error.
func roundTrip(info *types.Info, call *ast.CallExpr) bool {
	callee := calleeOf(info, call)
	return callee != nil && callee.Name() == "RoundTrip" && roundTrips(info, call)
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func nilable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}
