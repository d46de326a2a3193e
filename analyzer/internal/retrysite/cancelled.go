package retrysite

import (
	"go/ast"
	"go/types"
)

// endedElsewhere says whether what ends a context is handed to something that
// runs beside the function that made it, as a watchdog does that a timer, or
// another context, wakes:
//
//	ctx, cancel := context.WithCancel(context.Background())
//	stop := time.AfterFunc(limit, cancel)
//
// Then how long it lasts does not show in how it was made.
func (f *finder) endedElsewhere(fn *Func, made assigned) bool {
	call, ok := made.expr.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fullName(calleeOf(f.info, call)) {
	case "context.WithCancel", "context.WithCancelCause":
	default:
		return false
	}
	as, ok := made.node.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 {
		return false
	}
	cancel := varOf(f.info, as.Lhs[1])
	if cancel == nil {
		return false
	}
	for fn.Outer != nil {
		fn = fn.Outer
	}
	return f.runsBeside(fn.Body(), cancel)
}

// runsBeside says whether a function literal that is not deferred calls cancel,
// or a call is given it.
func (f *finder) runsBeside(body *ast.BlockStmt, cancel *types.Var) (found bool) {
	deferred := make(map[ast.Node]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			deferred[n.Call] = true
			deferred[n.Call.Fun] = true
		case *ast.CallExpr:
			for _, a := range n.Args {
				found = found || !deferred[n] && varOf(f.info, a) == cancel
			}
		case *ast.FuncLit:
			within := n.Pos() <= cancel.Pos() && cancel.Pos() < n.End()
			found = found || !within && !deferred[n] && mentionsVar(f.info, n, cancel)
		}
		return !found
	})
	return found
}
