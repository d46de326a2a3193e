package nodeadline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix puts the operation's context.Background() or TODO(), written at the call
// or in a variable that only the retry uses, under a timeout for the whole;
// nil where that can't be done safely. What goes on for as long as the operation
// fails, and never looks at its context, would do so for ever once that has
// ended, and can't be mended by ending it.
func fix(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	arg := s.Op().ContextArg
	at := edit.Before(s)
	if arg == nil || !at.IsValid() || !ends(s) || inLoop(s) || !edit.Free(pass, s, at, "cancel") {
		return nil
	}
	timePkg, contextPkg := edit.Imported(pass, at, "time"), edit.Imported(pass, at, "context")
	if timePkg == "" || contextPkg == "" {
		return nil
	}
	parent, edits := "", []analysis.TextEdit(nil)
	switch e := ast.Unparen(arg).(type) {
	case *ast.CallExpr:
		if len(e.Args) > 0 || !edit.Free(pass, s, at, "ctx") {
			return nil
		}
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		parent = contextPkg + "." + sel.Sel.Name + "()"
		edits = []analysis.TextEdit{{Pos: e.Pos(), End: e.End(), NewText: []byte("ctx")}}
	case *ast.Ident:
		v, ok := pass.TypesInfo.ObjectOf(e).(*types.Var)
		if !ok || e.Name != "ctx" || !edit.Means(pass, at, "ctx", v) || !sameScope(pass, v, at) || usedAfter(pass, s, v) {
			return nil
		}
		parent = "ctx"
	default:
		return nil
	}
	indent := edit.Indent(pass, at)
	text := fmt.Sprintf("ctx, cancel := %s.WithTimeout(%s, 30*%s.Second)\n%sdefer cancel()\n%s", contextPkg, parent, timePkg, indent, indent)
	return &analysis.SuggestedFix{
		Message:   "Limit the whole retry to 30 seconds",
		TextEdits: append([]analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}, edits...),
	}
}

// ends says whether the retry ends some time after its context did: its attempts
// are counted, or its waits look at that very context.
func ends(s *retrysite.Site) bool {
	if s.Attempts.Bounded() {
		return true
	}
	_, named := ast.Unparen(s.Op().ContextArg).(*ast.Ident)
	return named && s.Kind == retrysite.KindLoop && s.Interruptible()
}

// inLoop says whether the site stands in a loop, where a deferred cancel would
// pile up.
func inLoop(s *retrysite.Site) (found bool) {
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n != s.Node && n.Pos() <= s.Pos() && s.End() <= n.End()
		}
		return true
	})
	return found
}

// sameScope says whether v is declared in the very block of pos, so that :=
// assigns to it.
func sameScope(pass *analysis.Pass, v *types.Var, pos token.Pos) bool {
	return pass.Pkg.Scope().Innermost(pos-1) == v.Parent() // at pos the scope of the loop begins
}

// usedAfter says whether v is used behind the site, which the timeout would
// then limit too.
func usedAfter(pass *analysis.Pass, s *retrysite.Site, v *types.Var) (found bool) {
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= s.End() && pass.TypesInfo.ObjectOf(id) == v {
			found = true
		}
		return !found
	})
	return found
}
