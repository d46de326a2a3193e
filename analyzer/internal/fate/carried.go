package fate

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// holdsStatus reports whether a type is a struct, or a pointer to one, that holds
// a response or says its status.
func holdsStatus(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if isResponse(f.Type()) || saysStatus(f.Name()) && isInt(f.Type()) {
			return true
		}
	}
	return false
}

// carriesStatus reports whether a type of errors says the status of what was
// answered: by a field, or by a method.
func carriesStatus(t types.Type) bool {
	if holdsStatus(t) {
		return true
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "StatusCode")
	m, ok := obj.(*types.Func)
	return ok && givesInt(m)
}

func saysStatus(name string) bool {
	switch name {
	case "StatusCode", "HTTPStatusCode", "HttpStatusCode", "HTTPStatus", "HttpStatus", "HTTPCode":
		return true
	}
	return false
}

func isInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func givesInt(m *types.Func) bool {
	sig := m.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() == 1 && isInt(sig.Results().At(0).Type())
}

// carries is whether an error is one of a type: true where that says a status and
// the error carries one, false where an error that carries one can't be of it.
func (m *mind) carries(err value, t types.Type) cond {
	switch {
	case err.number == 0 || t == nil:
		return condTainted
	case carriesStatus(t):
		return condTrue
	case ofStandardLibrary(t):
		return condFalse
	}
	return condTainted
}

// ofStandardLibrary reports whether a type is one of the standard library's,
// whose errors tell of connections, files and contexts, and not of a status.
func ofStandardLibrary(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	first, _, _ := strings.Cut(n.Obj().Pkg().Path(), "/")
	return !strings.Contains(first, ".") && (first == "net" || first == "os" || first == "syscall" || first == "io" || first == "context")
}

// endsContext reports whether an expression names the error of an ended context.
func endsContext(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := info.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "context"
}

// errorAsked is what errors.Is and errors.As say of an error of which a part is
// known.
func (m *mind) errorAsked(call *ast.CallExpr, st state) cond {
	err := m.value(call.Args[0], st)
	switch {
	case err.kind == valueNil:
		return condFalse
	case err.kind != valueError || err.number == 0:
		return condTainted
	case typeutil.StaticCallee(m.info, call).Name() == "Is":
		if endsContext(m.info, call.Args[1]) {
			return condFalse
		}
		return condTainted
	}
	if p, ok := m.info.TypeOf(call.Args[1]).(*types.Pointer); ok {
		return m.carries(err, p.Elem())
	}
	return condTainted
}

// asserted is the state where a condition has come out so: what errors.As found
// in an error that carries a status is in its target.
func (m *mind) asserted(e ast.Expr, st state, holds bool) state {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return m.asserted(e.X, st, !holds)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND && holds || e.Op == token.LOR && !holds {
			return m.asserted(e.Y, m.asserted(e.X, st, holds), holds)
		}
	case *ast.CallExpr:
		if !holds || !asksError(m.info, e) || m.errorAsked(e, st) != condTrue {
			break
		}
		target, ok := ast.Unparen(e.Args[1]).(*ast.UnaryExpr)
		if !ok {
			break
		}
		if id, ok := ast.Unparen(target.X).(*ast.Ident); ok {
			if v, ok := m.info.Uses[id].(*types.Var); ok {
				st = maps.Clone(st)
				st[v] = value{kind: valueHolder, number: m.value(e.Args[0], st).number}
			}
		}
	}
	return st
}

// part is what a field says of the answer: its status, the response in it, and
// of the response that its body is there.
func (m *mind) part(e *ast.SelectorExpr, st state) (value, bool) {
	t := m.info.TypeOf(e)
	switch x := m.value(e.X, st); {
	case t == nil:
	case (x.kind == valueResponse || x.kind == valueHolder) && saysStatus(e.Sel.Name) && isInt(t):
		return value{kind: valueInt, number: x.number, outcome: true}, true
	case x.kind == valueResponse && e.Sel.Name == "Body":
		return value{kind: valueThing}, true
	case x.kind == valueHolder && isResponse(t):
		return value{kind: valueResponse, number: x.number}, true
	}
	return value{}, false
}

// method is what a method says of the status that its receiver holds, by the name
// that all clients share.
func (m *mind) method(call *ast.CallExpr, st state) (value, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "StatusCode" || len(call.Args) > 0 || !isInt(m.info.TypeOf(call)) {
		return value{}, false
	}
	if x := m.value(sel.X, st); x.kind == valueHolder {
		return value{kind: valueInt, number: x.number, outcome: true}, true
	}
	return value{}, false
}

// typeSwitch runs the case of a switch on the type of an error that carries a
// status; not ok if that is not known.
func (m *mind) typeSwitch(stmt *ast.TypeSwitchStmt, st state) ([]way, bool) {
	var x ast.Expr
	switch a := stmt.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	assertion, ok := ast.Unparen(x).(*ast.TypeAssertExpr)
	if !ok || stmt.Init != nil {
		return nil, false
	}
	err := m.value(assertion.X, st)
	if err.kind != valueError || err.number == 0 {
		return nil, false
	}
	var otherwise *ast.CaseClause
	for _, clause := range stmt.Body.List {
		clause := clause.(*ast.CaseClause)
		if clause.List == nil {
			otherwise = clause
			continue
		}
		for _, e := range clause.List {
			if m.info.Types[e].IsNil() {
				continue
			}
			switch m.carries(err, m.info.TypeOf(e)) {
			case condTrue:
				known := maps.Clone(st)
				if v, ok := m.info.Implicits[clause].(*types.Var); ok && len(clause.List) == 1 {
					known[v] = value{kind: valueHolder, number: err.number}
				}
				return caught(m.block(clause.Body, known)), true
			case condTainted:
				return nil, false
			}
		}
	}
	if otherwise == nil {
		return []way{{state: st}}, true
	}
	return caught(m.block(otherwise.Body, st)), true
}
