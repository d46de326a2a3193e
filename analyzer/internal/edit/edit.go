// Package edit has what the suggested fixes of the checks share: where a
// statement can be put, and whether a name is free there.
package edit

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// Before returns the position at which a statement can be inserted so that it
// runs once before the site, in the same block as the site's own statement;
// NoPos where there is no such place: in an else-if, under a label, in a
// package-level variable.
func Before(s *retrysite.Site) token.Pos {
	var stack []ast.Node
	at := token.NoPos
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if n == s.Node {
			at = listed(stack, n)
		}
		stack = append(stack, n)
		return true
	})
	return at
}

// listed is the start of the innermost statement around n that stands in a
// list of statements.
func listed(stack []ast.Node, n ast.Node) token.Pos {
	child := n
	for i := len(stack) - 1; i >= 0; i-- {
		switch p := stack[i].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if st, ok := child.(ast.Stmt); ok && inList(p, st) {
				return st.Pos()
			}
			return token.NoPos
		case *ast.IfStmt:
			if p.Else == child {
				return token.NoPos
			}
		case *ast.LabeledStmt, *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return token.NoPos // what is in a loop's header runs each round
		}
		child = stack[i]
	}
	return token.NoPos
}

func inList(p ast.Node, st ast.Stmt) bool {
	var list []ast.Stmt
	switch p := p.(type) {
	case *ast.BlockStmt:
		list = p.List
	case *ast.CaseClause:
		list = p.Body
	case *ast.CommClause:
		list = p.Body
	}
	for _, s := range list {
		if s == st {
			return true
		}
	}
	return false
}

// Indent is the white space that a line of gofmt'd source at pos begins with.
func Indent(pass *analysis.Pass, pos token.Pos) string {
	return strings.Repeat("\t", pass.Fset.Position(pos).Column-1)
}

// Free says whether a name means nothing at pos and is declared nowhere in the
// function, so that a declaration there changes no other use of it.
func Free(pass *analysis.Pass, s *retrysite.Site, pos token.Pos, name string) bool {
	scope := pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	if _, obj := scope.LookupParent(name, token.NoPos); obj != nil {
		return false
	}
	free := true
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			free = false
		}
		return free
	})
	return free
}

// Means says whether a name at pos refers to obj.
func Means(pass *analysis.Pass, pos token.Pos, name string, obj types.Object) bool {
	scope := pass.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(name, pos)
	return found != nil && found == obj
}

// Imported is the name under which the file at pos imports a package; "" if it
// does not, or not by a name that is visible at pos.
func Imported(pass *analysis.Pass, pos token.Pos, path string) string {
	for _, f := range pass.Files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		for _, spec := range f.Imports {
			if strings.Trim(spec.Path.Value, `"`) != path {
				continue
			}
			name := pass.TypesInfo.PkgNameOf(spec)
			if name != nil && name.Name() != "_" && name.Name() != "." && Means(pass, pos, name.Name(), name) {
				return name.Name()
			}
		}
	}
	return ""
}
