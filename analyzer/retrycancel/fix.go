package retrycancel

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix lets the context end the wait, where that can be done: it is the fix of
// blindsleep, so that both are one. Elsewhere it asks the context.
func fix(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	if s.Context.Expr == nil {
		return nil
	}
	if edit.Source(pass, s.Context.Expr) == s.Context.Reachable {
		for _, w := range s.Waits {
			if w.Interruptible {
				continue
			}
			if f := edit.WaitOrDone(pass, s, w); f != nil {
				return f
			}
			break
		}
	}
	return ask(pass, s)
}

// ask asks the context first thing in each round of the loop and gives up with
// its error, joined with the last one where that is at hand. It is nil where
// there is no such place (a goto, a library's loop), where the context is not
// to be had there under its own name, and where what the function returns
// can't say that it gave up.
func ask(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	if s.Kind != retrysite.KindLoop || s.Body == nil || len(s.Body.List) == 0 {
		return nil
	}
	at := s.Body.List[0].Pos()
	if !edit.Holds(pass, at, s.Context.Expr) || !edit.CanLeave(pass, s) {
		return nil
	}
	ctx := edit.Source(pass, s.Context.Expr)
	failure, edits := ctx+".Err()", []analysis.TextEdit(nil)
	if last := s.Op().Err; last != nil && last.Pos() < s.Pos() && edit.Means(pass, at, last.Name(), last) && onlyLast(pass, s, last) && edit.Go(pass, at, "go1.20") {
		if errs, add, ok := edit.Import(pass, at, "errors"); ok {
			failure, edits = fmt.Sprintf("%s.Join(%s.Err(), %s)", errs, ctx, last.Name()), add
		}
	}
	leave, ok := edit.Leave(pass, s.Func, failure)
	if !ok {
		return nil
	}
	if leave == "return" {
		edits = nil
	}
	indent := edit.Indent(pass, at)
	text := fmt.Sprintf("if %s.Err() != nil {\n%s\t%s\n%[2]s}\n%[2]s", ctx, indent, leave)
	return &analysis.SuggestedFix{
		Message:   "Check " + ctx + ".Err() before each attempt",
		TextEdits: append(edits, analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}),
	}
}

// onlyLast says whether the variable holds nothing but the error of the last
// attempt, or nil, when a round begins.
func onlyLast(pass *analysis.Pass, s *retrysite.Site, v *types.Var) bool {
	only := true
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() > s.Pos() {
			return only
		}
		for _, l := range assign.Lhs {
			if id, ok := l.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(id) == v {
				only = false // something before the loop failed with it, or did not
			}
		}
		return only
	})
	return only
}
