package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// wraps says whether what has been read grows in whole numbers beyond what they
// hold, before it is compared with its limit: a shift by the number of the
// attempt, or a power that is made a whole number. Then it is negative, or
// nothing, and under every limit.
func (s *growthScan) wraps() bool {
	switch n := s.out.Node.(type) {
	case *ast.BinaryExpr:
		by := s.counterIn(n.Y)
		return n.Op == token.SHL && isInteger(s.f.info.TypeOf(n)) && by != nil && !s.leastOf(n.Y) && !s.guardsGrowth(by)
	case *ast.CallExpr:
		callee := calleeOf(s.f.info, n)
		if callee == nil || pkgPath(callee) != "math" {
			return false // what computes the number limits it
		}
		by := s.counterIn(n)
		return by != nil && !s.leastOf(n.Args[len(n.Args)-1]) && s.madeWhole(n) && !s.guardsGrowth(by)
	}
	return false
}

// madeWhole says whether the power that e computes becomes a whole number before
// anything limits it.
func (s *growthScan) madeWhole(e ast.Expr) bool {
	for _, n := range enclosingPath(s.fn.Body(), e) { // the innermost first
		switch n := n.(type) {
		case *ast.CallExpr:
			if n == e {
				continue
			}
			if tv := s.f.info.Types[n.Fun]; tv.IsType() {
				if isInteger(tv.Type) {
					return true
				}
				continue
			}
			return false // it may be min
		case *ast.AssignStmt:
			v := varOf(s.f.info, n.Lhs[0])
			return len(n.Lhs) == 1 && v != nil && !isInteger(v.Type()) && s.convertedOnly(v)
		case ast.Expr:
		default:
			return false
		}
	}
	return false
}

// convertedOnly says whether a fraction is made a whole number and compared with
// nothing before.
func (s *growthScan) convertedOnly(v *types.Var) bool {
	converted, other := false, false
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := s.f.info.Types[n.Fun]
			for _, a := range n.Args {
				if s.mentions(a, v) {
					converted = converted || tv.IsType() && isInteger(tv.Type)
					other = other || !tv.IsType()
				}
			}
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				other = other || s.mentions(n, v)
			}
		}
	})
	return converted && !other
}

// guardsGrowth says whether a comparison keeps the number of the attempt small, or
// sees what has wrapped. By is what it grows by.
func (s *growthScan) guardsGrowth(by *types.Var) (found bool) {
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			for _, side := range [2][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				v := s.growing(side[0])
				if v == nil {
					continue
				}
				counts := s.counters[v] || v == by
				op := n.Op
				if side[0] == n.Y {
					op = flip(op)
				}
				switch op {
				case token.LSS, token.LEQ, token.EQL, token.NEQ:
					found = found || !counts || !s.isOne(side[1])
				case token.GTR, token.GEQ:
					found = found || counts != s.isOne(side[1])
				}
			}
		case *ast.SwitchStmt:
			found = found || n.Tag != nil && s.counterIn(n.Tag) != nil
		case *ast.CallExpr:
			if name := calledName(s.f.info, n); name == "max" || name == "Max" {
				found = found || s.counterIn(n) != nil
			}
		}
	})
	return found
}

// leastOf says whether e takes the smaller of a counter and something else, or the
// rest of a division.
func (s *growthScan) leastOf(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !s.f.info.Types[n.Fun].IsType()
		case *ast.BinaryExpr:
			found = found || n.Op == token.REM || n.Op == token.AND
		}
		return !found
	})
	return found
}

// calledName is the name of the function or builtin that a call runs.
func calledName(info *types.Info, call *ast.CallExpr) string {
	if o := typeutil.Callee(info, call); o != nil {
		return o.Name()
	}
	return ""
}

// sums says whether an assignment gives v the sum of itself and of what was v
// before, as the numbers of Fibonacci grow: a, b = b, a+b.
func (s *growthScan) sums(v *types.Var, e ast.Expr) bool {
	e = ast.Unparen(e)
	if x := varOf(s.f.info, e); x != nil && x != v && !x.IsField() {
		if e = s.f.singleValue(s.fn, x); e == nil {
			return false
		}
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD {
		return false
	}
	x, y := varOf(s.f.info, b.X), varOf(s.f.info, b.Y)
	if y == v {
		x, y = y, x
	}
	if x != v || y == nil || y == v {
		return false
	}
	for _, a := range s.values(y) {
		if a.expr != nil && varOf(s.f.info, a.expr) == v {
			return true
		}
	}
	return false
}
