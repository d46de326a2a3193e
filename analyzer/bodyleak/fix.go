package bodyleak

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// mostDrained is how much of a response's body is read so that its connection
// can be used again; more costs more than a new connection.
const mostDrained = "64<<10"

// fix drains and closes the response at the ways back to the call: before each
// continue, and at the end of the loop. It is nil where the response may be
// used after the loop, and where it can't be told whether there is one.
func fix(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	call, resp, err := s.Leaks.Call, s.Leak, s.Leaks.Err
	if s.Kind != retrysite.KindLoop || s.Body == nil || err == nil {
		return nil
	}
	made := statement(s.Body, call)
	if made < 0 || usedOutside(pass, s, resp) || setAgain(pass, s, err, call) || setAgain(pass, s, resp, call) {
		return nil
	}
	b := backs{pass: pass, s: s, resp: resp, err: err}
	if !b.walk(s.Body.List[made+1:], false, true) || len(b.found) == 0 {
		return nil
	}
	ioPkg, edits, ok := edit.Import(pass, b.found[0].at, "io")
	if !ok {
		return nil
	}
	for _, back := range b.found {
		if !edit.Means(pass, back.at, resp.Name(), resp) || !edit.Means(pass, back.at, err.Name(), err) {
			return nil
		}
		drain := fmt.Sprintf("_, _ = %s.Copy(%[1]s.Discard, %[1]s.LimitReader(%[2]s.Body, %[3]s))\n_ = %[2]s.Body.Close()\n", ioPkg, resp.Name(), mostDrained)
		if !back.succeeded {
			drain = fmt.Sprintf("if %s == nil {\n%s}\n", err.Name(), drain)
		}
		edits = append(edits, analysis.TextEdit{Pos: back.at, End: back.at, NewText: []byte(drain)})
	}
	return &analysis.SuggestedFix{Message: "Drain and close " + resp.Name() + ".Body before the next attempt", TextEdits: edits}
}

// statement is the index of the statement in the loop's body that makes the
// call and nothing else, -1 if it stands deeper.
func statement(body *ast.BlockStmt, call *ast.CallExpr) int {
	for i, st := range body.List {
		if assign, ok := st.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && ast.Unparen(assign.Rhs[0]) == ast.Expr(call) {
			return i
		}
	}
	return -1
}

// usedOutside says whether the response is used outside of the loop, where a
// closed one would be of no use.
func usedOutside(pass *analysis.Pass, s *retrysite.Site, resp *types.Var) bool {
	used := false
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		if n == ast.Node(s.Body) {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			used = used || pass.TypesInfo.Uses[n] == resp
		case *ast.ReturnStmt:
			used = used || len(n.Results) == 0 && resp.Pos() < s.Func.Body().Pos() // a named result
		}
		return !used
	})
	return used
}

// setAgain says whether the loop sets a variable by anything but the call.
func setAgain(pass *analysis.Pass, s *retrysite.Site, v *types.Var, call *ast.CallExpr) bool {
	again := false
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(call) {
				return true
			}
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(id) == v {
					again = true
				}
			}
		case *ast.UnaryExpr:
			if id, ok := n.X.(*ast.Ident); ok && n.Op == token.AND && pass.TypesInfo.ObjectOf(id) == v {
				again = true
			}
		}
		return !again
	})
	return again
}
