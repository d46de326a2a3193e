package edit

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"

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

// Joined makes one edit of several between two positions of a file. A fix that
// changes what a return means there has to be one: edits of its beginning and
// end alone would let a fix of something between them add a return of the old
// kind. It is not ok when the file can't be read.
func Joined(pass *analysis.Pass, from, to token.Pos, edits []analysis.TextEdit) (joined analysis.TextEdit, ok bool) {
	file := pass.Fset.File(from)
	src, err := pass.ReadFile(file.Name())
	if err != nil || len(src) < file.Size() {
		return analysis.TextEdit{}, false
	}
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return cmp.Compare(a.Pos, b.Pos) })
	var text []byte
	last := from
	for _, e := range edits {
		if e.Pos < last || e.End > to {
			return analysis.TextEdit{}, false
		}
		text = append(append(text, src[file.Offset(last):file.Offset(e.Pos)]...), e.NewText...)
		last = e.End
	}
	text = append(text, src[file.Offset(last):file.Offset(to)]...)
	return analysis.TextEdit{Pos: from, End: to, NewText: text}, true
}
