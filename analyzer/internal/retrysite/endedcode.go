package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// endedCode says what a comparison with a gRPC code is when the error is that
// of an ended context, which a client tells by the code of the same name.
func (w *walk) endedCode(st state, e *ast.BinaryExpr) is {
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	code := grpcCode(w.info, e.Y)
	if !ok || code == nil || e.Op != token.EQL && e.Op != token.NEQ {
		return isUnknown
	}
	callee := calleeOf(w.info, call)
	if callee == nil || callee.Name() != "Code" || pkgPath(callee) != "google.golang.org/grpc/status" && pkgPath(callee) != "google.golang.org/grpc/internal/status" || !w.mentions(st, call) {
		return isUnknown
	}
	return boolValue((code.Name() == w.ended.Name()) == (e.Op == token.EQL))
}

// grpcCode is the code of package codes that an expression names, nil if it
// names none.
func grpcCode(info *types.Info, e ast.Expr) *types.Const {
	c, ok := objectOf(info, e).(*types.Const)
	if !ok || c.Type().String() != "google.golang.org/grpc/codes.Code" {
		return nil
	}
	return c
}

// comparedCode is the code of an ended context where something on the way back
// compares with it.
func (w *walk) comparedCode() (found ast.Expr) {
	for n := range w.back {
		inspectOwn(n, func(n ast.Node) {
			var y ast.Expr
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL {
					y = n.Y
				}
			case ast.Expr:
				if w.g.compared[n] != nil {
					y = n
				}
			}
			if y == nil {
				return
			}
			if c := grpcCode(w.info, y); c != nil && c.Name() == w.ended.Name() && (found == nil || y.Pos() < found.Pos()) {
				found = y
			}
		})
	}
	return found
}
