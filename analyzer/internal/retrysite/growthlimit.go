package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// lose notes a part of the computation that can't be followed.
func (s *growthScan) lose() { s.unknown, s.open = true, true }

// sides reads both sides of an operator and says which of them grow. Beside what
// grows, a summand or a factor that can't be followed limits nothing.
func (s *growthScan) sides(e *ast.BinaryExpr) (x, y bool) {
	before := s.open
	s.open = false
	x = s.expr(e.X)
	openX := s.open
	s.open = false
	y = s.expr(e.Y)
	openY := s.open
	if e.Op == token.ADD || e.Op == token.MUL {
		openX, openY = openX && (!y || openY), openY && (!x || openX)
	}
	s.open = before || openX || openY
	return x, y
}

// answered says whether e is a field of what a call in the region gives: what
// the other side tells to wait.
func (s *growthScan) answered(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := refOf(s.f.info, sel.X).root.(*types.Var)
	if !ok || v.IsField() || isPackageLevel(v) {
		return false
	}
	return slices.ContainsFunc(s.f.valuesOf(s.fn, v), func(a assigned) bool {
		return a.expr != nil && isCall(a.expr) && s.within(a.node)
	})
}

// bounds says whether a counter is what bounds an inner loop.
func (s *growthScan) bounds(loop ast.Node) bool {
	switch l := loop.(type) {
	case *ast.ForStmt:
		return l.Cond != nil && s.counterIn(l.Cond) != nil
	case *ast.RangeStmt:
		return s.counterIn(l.X) != nil
	}
	return false
}

// limited says whether a comparison keeps what grows within limits: one of a
// growing variable with anything but 0, or one of a counter whose outcome
// decides what the variable becomes.
func (s *growthScan) limited() (found bool) {
	_, isLoop := s.region.(*ast.BlockStmt)
	isLoop = !isLoop
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		if found {
			return
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			found = s.limits(n.Cond, isLoop, n)
		case *ast.ForStmt:
			if n.Cond != nil && n != s.region {
				found = s.limits(n.Cond, true, n)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						found = found || s.limits(e, isLoop, n)
					}
				}
			} else if s.counterIn(n.Tag) != nil {
				found = true
			}
		}
	})
	return found
}

func (s *growthScan) limits(cond ast.Expr, inLoop bool, stmt ast.Node) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch b.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
		default:
			return !found
		}
		for _, side := range [2][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			v := s.growing(side[0])
			if v == nil || s.isOne(side[1]) || s.counters[v] && s.tooLate(side[1]) {
				continue
			}
			switch {
			case s.grown[v] && !s.counters[v]:
				found = true
			case !inLoop:
				found = true
			case s.decides(stmt):
				found = true
			}
		}
		return !found
	})
	return found
}

// tooLate says whether a counter that is compared with e has let the wait grow
// for too long by then: 1ns << 40 are 18 minutes.
func (s *growthScan) tooLate(e ast.Expr) bool {
	shift, ok := s.out.Node.(*ast.BinaryExpr)
	if !ok || shift.Op != token.SHL {
		return false
	}
	v := s.f.info.Types[e].Value
	if v == nil {
		return false
	}
	n, exact := constant.Int64Val(constant.ToInt(v))
	return exact && n >= 40
}

// growing is a variable in e that grows.
func (s *growthScan) growing(e ast.Expr) *types.Var { return s.counterIn(e) }

// decides says whether what grows is assigned, or grows, under stmt.
func (s *growthScan) decides(stmt ast.Node) (found bool) {
	if n := s.out.Node; n != nil && s.out.Func == s.fn && stmt.Pos() <= n.Pos() && n.End() <= stmt.End() {
		if _, isFor := stmt.(*ast.ForStmt); !isFor {
			return true
		}
	}
	inspectOwn(stmt, func(n ast.Node) {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				if v := varOf(s.f.info, l); v != nil && s.grown[v] {
					if _, isFor := stmt.(*ast.ForStmt); !isFor {
						found = true
					}
				}
			}
		}
	})
	return found
}
