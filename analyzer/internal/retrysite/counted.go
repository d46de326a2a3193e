package retrysite

import (
	"go/ast"
	"go/token"
)

// countedBy is the variable that a call counts through the pointer which it is
// handed as its i-th argument, when the function that it runs does no more with
// what it points to than that: note(&tries, err).
func (f *finder) countedBy(call *ast.CallExpr, i int) (counts, up bool) {
	u, ok := ast.Unparen(call.Args[i]).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND || !isInteger(f.info.TypeOf(u.X)) {
		return false, false
	}
	fn := f.res.FuncOf(calleeOf(f.info, call))
	if fn == nil || fn.Body() == nil {
		return false, false
	}
	sets := false
	inspectOwn(fn.Body(), func(n ast.Node) {
		target := func(e ast.Expr) bool {
			star, ok := ast.Unparen(e).(*ast.StarExpr)
			v := varOf(f.info, e)
			return ok && v != nil && !v.IsField() && star.X != nil && f.paramIndex(fn, v) == i
		}
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if target(n.X) {
				counts, up = true, n.Tok == token.INC
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				sets = sets || target(l)
			}
		}
	})
	return counts && !sets, up
}
