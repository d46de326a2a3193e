package backoffcap

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// limitedByCaller says whether those who ask for the wait limit it: the function
// is one that other packages can't call, or the method of an interface, and a
// caller in the package takes no more than a maximum of what it answers.
//
//	wait := strategy.Delay(n)
//	if wait > cfg.MaxDelay {
//		wait = cfg.MaxDelay
//	}
func limitedByCaller(pass *analysis.Pass, d *retrysite.Delay) (found bool) {
	if d.Func.Obj == nil {
		return false
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if isMin(pass.TypesInfo, n) {
						for _, a := range n.Args {
							found = found || asks(pass.TypesInfo, a, d)
						}
					}
				case *ast.AssignStmt:
					if len(n.Lhs) == 1 && len(n.Rhs) == 1 && asks(pass.TypesInfo, n.Rhs[0], d) {
						v := objectOf(pass.TypesInfo, n.Lhs[0])
						found = found || v != nil && limited(pass.TypesInfo, fn.Body, v, n.End())
					}
				}
				return !found
			})
		}
	}
	return found
}

// asks says whether e calls the function, by itself or by an interface that its
// receiver implements.
func asks(info *types.Info, e ast.Expr, d *retrysite.Delay) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	callee, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || callee.Name() != d.Func.Obj.Name() {
		return false
	}
	if callee.Origin() == d.Func.Obj {
		return !d.Func.Obj.Exported()
	}
	recv, asked := d.Func.Obj.Signature().Recv(), callee.Signature().Recv()
	if recv == nil || asked == nil {
		return false
	}
	iface, ok := asked.Type().Underlying().(*types.Interface)
	return ok && types.Implements(recv.Type(), iface)
}

// limited says whether a variable is made smaller, or a smaller one taken in its
// place, after pos.
func limited(info *types.Info, body *ast.BlockStmt, v types.Object, pos token.Pos) (found bool) {
	is := func(e ast.Expr) bool { return objectOf(info, e) == v }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if n.Pos() > pos && isMin(info, n) {
				for _, a := range n.Args {
					found = found || is(a)
				}
			}
		case *ast.IfStmt:
			cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
			if !ok || n.Pos() < pos {
				break
			}
			above := (cond.Op == token.GTR || cond.Op == token.GEQ) && is(cond.X) || (cond.Op == token.LSS || cond.Op == token.LEQ) && is(cond.Y)
			for _, s := range n.Body.List {
				as, ok := s.(*ast.AssignStmt)
				found = found || above && ok && as.Tok == token.ASSIGN && len(as.Lhs) == 1 && is(as.Lhs[0])
			}
		}
		return !found
	})
	return found
}

func isMin(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && info.Uses[id] == types.Universe.Lookup("min")
}

func objectOf(info *types.Info, e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return info.ObjectOf(id)
	}
	return nil
}
