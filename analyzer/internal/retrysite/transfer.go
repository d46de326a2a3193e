package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// transfer gives the state after a statement or expression.
func (w *walk) transfer(st state, n ast.Node) state {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return w.assign(w.effects(st, n), n.Lhs, n.Rhs, n.Tok)
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, id := range n.Names {
			lhs[i] = id
		}
		if len(n.Values) == 0 {
			for _, id := range n.Names {
				if obj := w.info.Defs[id]; obj != nil {
					st = st.with(ref{root: obj}, zeroOf(obj.Type()))
				}
			}
			return st
		}
		return w.assign(w.effects(st, n), lhs, n.Values, token.DEFINE)
	case *ast.IncDecStmt:
		if n.Tok == token.INC {
			return st.with(refOf(w.info, n.X), value{is: isSet})
		}
		return st.with(refOf(w.info, n.X), value{})
	default:
		return w.effects(st, n)
	}
}

func (w *walk) assign(st state, lhs, rhs []ast.Expr, tok token.Token) state {
	if len(rhs) == len(lhs) {
		vals := make([]value, len(rhs))
		for i, e := range rhs {
			vals[i] = w.eval(st, e)
			if tok != token.ASSIGN && tok != token.DEFINE {
				vals[i] = value{outcome: vals[i].outcome || w.eval(st, lhs[i]).outcome}
			}
		}
		for i, e := range lhs {
			r := refOf(w.info, e)
			if tok == token.ASSIGN || tok == token.DEFINE {
				vals[i].said = w.said(st, r, rhs[i])
			}
			st = st.with(r, vals[i])
		}
		return st
	}
	if len(rhs) != 1 {
		return st
	}
	call, isCall := ast.Unparen(rhs[0]).(*ast.CallExpr)
	switch {
	case isCall && call == w.op:
		for i, e := range lhs {
			v := value{outcome: true}
			if i == w.err {
				v.is = w.outcomeIs()
			} else if w.err >= 0 && !w.fail && nilable(w.info.TypeOf(e)) {
				v.is = isSet
			} else if w.fail && (roundTrip(w.info, call) || w.empty && isPointer(w.info.TypeOf(e))) {
				v.is = isNil
			}
			st = st.with(refOf(w.info, e), v)
		}
	case isCall:
		out := w.mentions(st, call)
		ei := errorIndex(w.info, call)
		callee, _ := typeutil.Callee(w.info, call).(*types.Func)
		for i, e := range lhs {
			v := value{outcome: out}
			if i == ei && !out && !w.fail && !isContextErr(callee) {
				v.is = isNil
			}
			st = st.with(refOf(w.info, e), v)
		}
	default:
		out := w.mentions(st, rhs[0])
		asserted, isAssertion := ast.Unparen(rhs[0]).(*ast.TypeAssertExpr)
		isNothing := isAssertion && w.eval(st, asserted.X).is == isNil // which is of no type
		for i, e := range lhs {
			v := value{outcome: out}
			if isNothing && i == 1 {
				v.is = isFalse
			}
			st = st.with(refOf(w.info, e), v)
		}
	}
	return st
}

// effects gives the state after what a node's calls write through pointers:
// errors.As(err, &target), json.Decode(resp.Body, &out).
func (w *walk) effects(st state, n ast.Node) state {
	for _, call := range w.g.callsIn(n) {
		st = w.filled(w.keeps(st, call), call)
		out := -1
		for i, a := range call.Args {
			u, ok := ast.Unparen(a).(*ast.UnaryExpr)
			if !ok || u.Op != token.AND {
				continue
			}
			if counts, _ := w.g.counted(call, i); counts {
				st = st.with(refOf(w.info, u.X), value{})
				continue
			}
			if out < 0 {
				out = 0
				if w.mentions(st, call) {
					out = 1
				}
			}
			st = st.with(refOf(w.info, u.X), value{outcome: out == 1})
		}
	}
	return st
}

// filled gives the state after a call is handed the outcome beside a pointer,
// through which it may hand on a part of it: decode(resp, out).
func (w *walk) filled(st state, call *ast.CallExpr) state {
	for i, a := range call.Args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok || call == w.op {
			continue
		}
		v, ok := w.info.ObjectOf(id).(*types.Var)
		if !ok || st.of(ref{root: v}).outcome {
			continue
		}
		if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
			continue
		}
		for j, b := range call.Args {
			if i != j && !isError(w.info.TypeOf(b)) && w.mentions(st, b) {
				is := st.of(ref{root: v}).is
				st = st.with(ref{root: v}, value{is: is, outcome: true})
			}
		}
	}
	return st
}

// keeps gives the state after a method is handed the outcome: what it is
// called on may answer for it later, as in resp.SetResponse(r); resp.IsFail().
func (w *walk) keeps(st state, call *ast.CallExpr) state {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || w.info.Selections[sel] == nil || call == w.op {
		return st
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || strings.Contains(strings.ToLower(id.Name), "log") || !(strings.HasPrefix(sel.Sel.Name, "Set") || strings.HasPrefix(sel.Sel.Name, "set")) {
		return st
	}
	for _, a := range call.Args {
		if w.mentions(st, a) {
			r := refOf(w.info, id)
			v := st.of(r)
			v.outcome = true
			return st.with(r, v)
		}
	}
	return st
}

func (w *walk) assignRange(st state, r *ast.RangeStmt) state {
	out := w.mentions(st, r.X)
	for _, e := range []ast.Expr{r.Key, r.Value} {
		if e != nil {
			st = st.with(refOf(w.info, e), value{outcome: out})
		}
	}
	return st
}

// assume gives the state in which a condition is known to be so.
func (w *walk) assume(st state, cond ast.Expr, yes bool) state {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if r := refOf(w.info, e); r.root != nil {
			return st.with(r, value{is: boolValue(yes), outcome: st.of(r).outcome || st.outcomeOf(r)})
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return w.assume(st, e.X, !yes)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			if yes {
				return w.assume(w.assume(st, e.X, true), e.Y, true)
			}
			// One of them is false; if the other is known to be true, it is this one.
			if w.eval(st, e.X).is == isTrue {
				return w.assume(st, e.Y, false)
			}
			if w.eval(st, e.Y).is == isTrue {
				return w.assume(st, e.X, false)
			}
		case token.LOR:
			if !yes {
				return w.assume(w.assume(st, e.X, false), e.Y, false)
			}
			if w.eval(st, e.X).is == isFalse {
				return w.assume(st, e.Y, true)
			}
			if w.eval(st, e.Y).is == isFalse {
				return w.assume(st, e.X, true)
			}
		case token.EQL, token.NEQ:
			if e.Op == token.NEQ {
				yes = !yes
			}
			x, y := e.X, e.Y
			if w.eval(st, x).is == isNil && refOf(w.info, x).root == nil {
				x, y = y, x
			}
			r := refOf(w.info, x)
			if r.root == nil {
				break
			}
			out := st.of(r).outcome || st.outcomeOf(r)
			switch yv := w.eval(st, y); {
			case yv.is == isNil && yes:
				return st.with(r, value{is: isNil, outcome: out})
			case yv.is == isNil:
				return st.with(r, value{is: isSet, outcome: out})
			case yes && w.sentinel(y):
				return st.with(r, value{is: isSet, outcome: out})
			}
		}
	}
	return st
}
