package retrysite

import (
	"go/ast"
	"go/token"
)

// leastBound is the smallest value of a bound's source with which a loop makes an
// attempt: 1 for i < n from zero, 0 for i <= n. It is 1 where that is not known.
func (f *finder) leastBound(s *Site) int64 {
	added, ok := f.addedToBound(s.Func, s.Attempts.Expr, 0)
	if !ok {
		return 1
	}
	loop, ok := s.Node.(*ast.ForStmt)
	if !ok || loop.Cond == nil {
		return 1 - added // for range n
	}
	first, ok := f.firstCount(s, loop)
	if !ok {
		return 1
	}
	least := int64(1)
	ast.Inspect(loop.Cond, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (ast.Unparen(b.X) == s.Attempts.Expr || ast.Unparen(b.Y) == s.Attempts.Expr) {
			least = first - added
			if b.Op == token.LSS || b.Op == token.GTR {
				least++
			}
		}
		return true
	})
	return least
}

// firstCount is what the counter of a loop begins with.
func (f *finder) firstCount(s *Site, loop *ast.ForStmt) (n int64, ok bool) {
	if s.Attempts.Counter == nil {
		return 0, false
	}
	for _, a := range f.valuesOf(s.Func, s.Attempts.Counter) {
		if loop.Body.Pos() <= a.node.Pos() || loop.Post != nil && contains(loop.Post, a.node) {
			continue
		}
		if a.expr == nil || ok {
			return 0, false // another one, too
		}
		if n, ok = f.constInt(a.expr); !ok {
			return 0, false
		}
	}
	return n, ok
}

// addedToBound is what a bound has more than its source, see boundSource.
func (f *finder) addedToBound(fn *Func, e ast.Expr, depth int) (n int64, ok bool) {
	if depth > 4 {
		return 0, false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v := varOf(f.info, e); v != nil && !isPackageLevel(v) {
			if x := f.singleValue(fn, v); x != nil {
				return f.addedToBound(fn, x, depth+1)
			}
		}
		return 0, true
	case *ast.BinaryExpr:
		if c, isConst := f.constInt(e.Y); isConst && (e.Op == token.ADD || e.Op == token.SUB) {
			n, ok = f.addedToBound(fn, e.X, depth+1)
			if e.Op == token.SUB {
				c = -c
			}
			return n + c, ok
		}
		if c, isConst := f.constInt(e.X); isConst && e.Op == token.ADD {
			n, ok = f.addedToBound(fn, e.Y, depth+1)
			return n + c, ok
		}
		return 0, false
	case *ast.CallExpr:
		if f.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return f.addedToBound(fn, e.Args[0], depth+1)
		}
	}
	return 0, true
}
