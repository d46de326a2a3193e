package nojitter

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A signs tells which durations of a function can't be zero or less.
type signs struct {
	info   *types.Info
	body   *ast.BlockStmt
	shifts bool // no shift in it overflows
	depth  int
}

// atLeast says whether e is known to be at least 0, or 1 where one is wanted,
// as long as no product or sum in it overflows.
func (s signs) atLeast(e ast.Expr, least int64) bool {
	e = ast.Unparen(e)
	if tv := s.info.Types[e]; tv.Value != nil {
		f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
		return f >= float64(least)
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := s.info.ObjectOf(e).(*types.Var)
		return ok && s.depth < 4 && signs{s.info, s.body, s.shifts, s.depth + 1}.variable(v, least)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.MUL:
			return s.atLeast(e.X, least) && s.atLeast(e.Y, least)
		case token.ADD:
			return s.atLeast(e.X, least) && s.atLeast(e.Y, 0) || s.atLeast(e.X, 0) && s.atLeast(e.Y, least)
		case token.SHL:
			return (s.shifts || s.small(e.Y)) && s.atLeast(e.X, least)
		}
	case *ast.CallExpr:
		if s.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			if b, ok := s.info.TypeOf(e.Args[0]).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
				return s.atLeast(e.Args[0], least)
			}
			return false // a fraction may become 0
		}
		if b, ok := typeutil.Callee(s.info, e).(*types.Builtin); ok {
			every, some := true, false
			for _, a := range e.Args {
				ok := s.atLeast(a, least)
				every, some = every && ok, some || ok
			}
			return b.Name() == "min" && every || b.Name() == "max" && some
		}
	}
	return false
}

// variable says whether everything that a local variable is given is at least
// that.
func (s signs) variable(v *types.Var, least int64) bool {
	if v.IsField() || v.Pos() < s.body.Pos() || v.Pos() >= s.body.End() {
		return false
	}
	set, ok := 0, true
	is := func(e ast.Expr) bool {
		id, isIdent := ast.Unparen(e).(*ast.Ident)
		return isIdent && s.info.ObjectOf(id) == v
	}
	ast.Inspect(s.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if !is(l) {
					continue
				}
				set++
				switch {
				case len(n.Lhs) != len(n.Rhs):
					ok = false
				case n.Tok == token.ASSIGN || n.Tok == token.DEFINE:
					ok = ok && (s.atLeast(n.Rhs[i], least) || s.grows(n.Rhs[i], v))
				case n.Tok == token.MUL_ASSIGN:
					ok = ok && s.atLeast(n.Rhs[i], least)
				case n.Tok == token.ADD_ASSIGN:
					ok = ok && s.atLeast(n.Rhs[i], 0)
				default:
					ok = false
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if is(name) {
					set++
					ok = ok && i < len(n.Values) && len(n.Values) == len(n.Names) && s.atLeast(n.Values[i], least)
				}
			}
		case *ast.IncDecStmt:
			if is(n.X) && n.Tok == token.DEC {
				ok = false
			}
		case *ast.RangeStmt:
			if n.Key != nil && is(n.Key) {
				set++
				b, isBasic := s.info.TypeOf(n.X).Underlying().(*types.Basic)
				ok = ok && least == 0 && isBasic && b.Info()&types.IsInteger != 0
			}
			if n.Value != nil && is(n.Value) {
				ok = false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				ok = false
			}
		}
		return ok
	})
	return ok && set > 0
}

// grows says whether e is v times or plus something that keeps its sign, which
// is as positive as v is.
func (s signs) grows(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		if !ok || s.info.ObjectOf(id) != v {
			return false
		}
		switch e.Op {
		case token.MUL:
			return s.atLeast(e.Y, 1)
		case token.ADD:
			return s.atLeast(e.Y, 0) || s.grows(e.Y, v)
		}
	case *ast.Ident:
		return s.info.ObjectOf(e) == v
	case *ast.CallExpr:
		if b, ok := typeutil.Callee(s.info, e).(*types.Builtin); ok && b.Name() == "min" {
			for _, a := range e.Args {
				if !s.atLeast(a, 1) && !s.grows(a, v) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// small says whether a shift by e is one by 16 at most.
func (s signs) small(e ast.Expr) bool {
	if tv := s.info.Types[e]; tv.Value != nil {
		n, exact := constant.Int64Val(constant.ToInt(tv.Value))
		return exact && n <= 16
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if b, isBuiltin := typeutil.Callee(s.info, call).(*types.Builtin); isBuiltin && b.Name() == "min" {
		for _, a := range call.Args {
			if s.info.Types[a].Value != nil && s.small(a) {
				return true
			}
		}
	}
	return false
}
