package fate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// listed is what slices.Contains, or a function of the package that does the same,
// answers of a number that is known and a list of constants that stands in the call;
// not ok if it is another call.
func (m *mind) listed(call *ast.CallExpr, st state) (c cond, ok bool) {
	if len(call.Args) != 2 || !m.searches(call) {
		return condNeutral, false
	}
	lit, isList := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
	number := m.value(call.Args[1], st)
	if !isList || number.kind != valueInt {
		return condNeutral, false
	}
	for _, e := range lit.Elts {
		v := m.info.Types[e].Value
		if v == nil || v.Kind() != constant.Int {
			return condNeutral, false
		}
		if constant.Compare(v, token.EQL, constant.MakeInt64(number.number)) {
			return condTrue, true
		}
	}
	return condFalse, true
}

// searches reports whether a call looks for its second argument in its first: it
// is slices.Contains, or a function that does nothing but
//
//	for _, x := range list {
//		if x == wanted {
//			return true
//		}
//	}
//	return false
func (m *mind) searches(call *ast.CallExpr) bool {
	callee := typeutil.StaticCallee(m.info, call)
	if callee == nil {
		return false
	}
	if callee.FullName() == "slices.Contains" {
		return true
	}
	fn := m.site.Source(callee)
	params := callee.Signature().Params()
	if fn == nil || fn.Body() == nil || params.Len() != 2 || len(fn.Body().List) != 2 {
		return false
	}
	is := func(e ast.Expr, v types.Object) bool {
		id, ok := e.(*ast.Ident)
		return ok && v != nil && m.info.ObjectOf(id) == v
	}
	loop, ok := fn.Body().List[0].(*ast.RangeStmt)
	if !ok || !is(loop.X, params.At(0)) || loop.Value == nil || len(loop.Body.List) != 1 || !m.returnsBool(fn.Body().List[1], false) {
		return false
	}
	branch, ok := loop.Body.List[0].(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 || !m.returnsBool(branch.Body.List[0], true) {
		return false
	}
	cond, ok := branch.Cond.(*ast.BinaryExpr)
	id, isIdent := loop.Value.(*ast.Ident)
	if !ok || !isIdent || cond.Op != token.EQL {
		return false
	}
	element := m.info.ObjectOf(id)
	return is(cond.X, element) && is(cond.Y, params.At(1)) || is(cond.X, params.At(1)) && is(cond.Y, element)
}

// returnsBool reports whether a statement returns true, or false.
func (m *mind) returnsBool(stmt ast.Stmt, want bool) bool {
	r, ok := stmt.(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	v := m.info.Types[r.Results[0]].Value
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) == want
}
