package backoffcap

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fewAttempts is a number of attempts within which a wait that doubles does not
// get far.
const fewAttempts = 10

// keptSmall says whether the bound on a site's attempts is a field of which the
// package sees to it, where it is set, that it stays small:
//
//	if n > 10 {
//		n = 10
//	}
//	return &Client{attempts: n}
func keptSmall(pass *analysis.Pass, s *retrysite.Site) (found bool) {
	sel, ok := ast.Unparen(s.Attempts.Expr).(*ast.SelectorExpr)
	if s.Attempts.Kind != retrysite.BoundVar || !ok {
		return false
	}
	field, ok := pass.TypesInfo.ObjectOf(sel.Sel).(*types.Var)
	if !ok || !field.IsField() || field.Exported() {
		return false // anybody may set it
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					found = found || setsSmall(pass.TypesInfo, n.Body, field)
				}
				return false
			}
			return !found
		})
	}
	return found
}

// setsSmall says whether a function sets a field to what it has limited before, or
// limits the field itself.
func setsSmall(info *types.Info, body *ast.BlockStmt, field *types.Var) (small bool) {
	set := map[types.Object]bool{field: true} // and what it is set to
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if memberOf(info, n.Key) == types.Object(field) {
				set[memberOf(info, n.Value)] = true
				small = small || isSmallest(info, n.Value)
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if memberOf(info, l) == types.Object(field) && len(n.Lhs) == len(n.Rhs) {
					set[memberOf(info, n.Rhs[i])] = true
					small = small || isSmallest(info, n.Rhs[i])
				}
			}
		}
		return true
	})
	delete(set, nil)
	ast.Inspect(body, func(n ast.Node) bool {
		i, ok := n.(*ast.IfStmt)
		if !ok {
			return !small
		}
		cond, ok := ast.Unparen(i.Cond).(*ast.BinaryExpr)
		if !ok || cond.Op != token.GTR && cond.Op != token.GEQ || !isFew(info, cond.Y) || !set[memberOf(info, cond.X)] {
			return !small
		}
		for _, stmt := range i.Body.List {
			as, ok := stmt.(*ast.AssignStmt)
			small = small || ok && len(as.Lhs) == 1 && memberOf(info, as.Lhs[0]) == memberOf(info, cond.X) && isFew(info, as.Rhs[0])
		}
		return !small
	})
	return small
}

// isSmallest says whether e is the smaller of something and a small constant.
func isSmallest(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !isMin(info, call) {
		return false
	}
	for _, a := range call.Args {
		if isFew(info, a) {
			return true
		}
	}
	return false
}

func isFew(info *types.Info, e ast.Expr) bool {
	v := info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Compare(v, token.LEQ, constant.MakeInt64(fewAttempts))
}

// memberOf is the variable or field that an expression names, nil if it names none.
func memberOf(info *types.Info, e ast.Expr) types.Object {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return info.ObjectOf(sel.Sel)
	}
	return objectOf(info, e)
}
