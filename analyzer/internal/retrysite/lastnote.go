package retrysite

import (
	"go/ast"
	"go/token"
	"strings"
)

// notes says whether a condition decides only what is noted about an attempt, and
// not whether it is waited: neither way leaves, holds the wait, or sets anything.
//
//	if attempt == last {
//		log.Print("giving up")
//	}
//	time.Sleep(delay)
func (f *finder) notes(s *Site, w *Wait, cond ast.Expr) bool {
	var branch *ast.IfStmt
	inspectOwn(s.Node, func(n ast.Node) {
		if i, ok := n.(*ast.IfStmt); ok && contains(i.Cond, cond) {
			branch = i
		}
	})
	if branch == nil || contains(branch, w.Node) {
		return false
	}
	only := true
	ast.Inspect(branch, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.FuncLit, *ast.IncDecStmt:
			only = false
		case *ast.AssignStmt:
			only = only && n.Tok == token.DEFINE
		case *ast.CallExpr:
			only = only && !neverReturns(f.info, n) && !strings.HasPrefix(bareName(callName(n)), "Fatal")
		}
		return only
	})
	return only
}
