package edit

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// WaitOrDone replaces a sleep that is a statement of its own by a select on the
// timer and the context; nil where the return on cancellation can't be written
// safely: no context in scope under its own name, no error among the results,
// or something that comes after the loop in a function without results.
func WaitOrDone(pass *analysis.Pass, s *retrysite.Site, w *retrysite.Wait) *analysis.SuggestedFix {
	if w.How != retrysite.WaitSleep && w.How != retrysite.WaitAfter || w.Duration == nil {
		return nil
	}
	stmt := statement(s, w.Node)
	ctx := s.Context.Reachable
	if stmt == nil || !Own(s, stmt) || !CanLeave(pass, s) || ctx == "" || !visible(pass, s, stmt.Pos(), ctx) {
		return nil
	}
	timePkg := Imported(pass, stmt.Pos(), "time")
	leave, ok := Leave(pass, s.Func, ctx+".Err()")
	if timePkg == "" || !ok {
		return nil
	}
	indent := Indent(pass, stmt.Pos())
	text := fmt.Sprintf("select {\n%[1]scase <-%[2]s.Done():\n%[1]s\t%[3]s\n%[1]scase <-%[4]s.After(%[5]s):\n%[1]s}",
		indent, ctx, leave, timePkg, Source(pass, w.Duration))
	return &analysis.SuggestedFix{
		Message:   "Wait for the timer or the context",
		TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End(), NewText: []byte(text)}},
	}
}

// statement is the expression statement that consists of the wait alone.
func statement(s *retrysite.Site, wait ast.Node) (found *ast.ExprStmt) {
	ast.Inspect(s.Node, func(n ast.Node) bool {
		if st, ok := n.(*ast.ExprStmt); ok && ast.Unparen(st.X) == wait {
			found = st
		}
		if fs, ok := n.(*ast.ForStmt); ok && fs.Post != nil && fs.Post.Pos() <= wait.Pos() && wait.End() <= fs.Post.End() {
			return false // a post statement can't be a select
		}
		return found == nil
	})
	if fs, ok := s.Node.(*ast.ForStmt); ok && found != nil && (fs.Post == ast.Stmt(found) || fs.Init == ast.Stmt(found)) {
		return nil
	}
	return found
}

// visible says whether the context's root name means at pos what it means to
// the function: its parameter or receiver.
func visible(pass *analysis.Pass, s *retrysite.Site, pos token.Pos, ctx string) bool {
	root, _, _ := strings.Cut(ctx, ".")
	for fn := s.Func; fn != nil; fn = fn.Outer {
		for _, list := range []*ast.FieldList{fn.Type().Params, fn.Recv()} {
			if list == nil {
				continue
			}
			for _, f := range list.List {
				for _, name := range f.Names {
					if name.Name == root {
						return Means(pass, pos, root, pass.TypesInfo.Defs[name])
					}
				}
			}
		}
	}
	return false
}
