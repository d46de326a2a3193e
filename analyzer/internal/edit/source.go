package edit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Source is an expression as it is written.
func Source(pass *analysis.Pass, e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, pass.Fset, e); err != nil {
		return types.ExprString(e)
	}
	return b.String()
}

// Path says whether an expression is a name, or fields of one, so that it can
// be written twice: "n", "c.opts.Retries". root is that name.
func Path(e ast.Expr) (root *ast.Ident, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e, true
	case *ast.SelectorExpr:
		return Path(e.X)
	}
	return nil, false
}

// Holds says whether a path means at pos what it means where it stands.
func Holds(pass *analysis.Pass, pos token.Pos, e ast.Expr) bool {
	root, ok := Path(e)
	if !ok {
		return false
	}
	obj := pass.TypesInfo.ObjectOf(root)
	return obj != nil && Means(pass, pos, root.Name, obj)
}

// Around lists the nodes of a tree that hold n, innermost first, n included.
func Around(tree, n ast.Node) []ast.Node {
	var stack, found []ast.Node
	ast.Inspect(tree, func(m ast.Node) bool {
		if found != nil {
			return false
		}
		if m == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, m)
		if m == n {
			for i := len(stack) - 1; i >= 0; i-- {
				found = append(found, stack[i])
			}
			return false
		}
		return true
	})
	return found
}
