package freshkey

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix makes the id once before the site; nil where that can't be done safely:
// the id depends on something, has an error beside it, is made in another
// function, or there is no place or name for it.
func fix(pass *analysis.Pass, s *retrysite.Site, id retrysite.FreshID) *analysis.SuggestedFix {
	if id.Via != nil || len(id.Call.Args) > 0 || s.Attempt != nil && s.Attempt.Lit == nil {
		return nil
	}
	if _, several := pass.TypesInfo.TypeOf(id.Call).(*types.Tuple); several {
		return nil
	}
	at := edit.Before(s)
	if !at.IsValid() || !plain(pass, id.Call) {
		return nil
	}
	name := ""
	for _, n := range []string{"idempotencyKey", "requestKey", "attemptsKey"} {
		if edit.Free(pass, s, at, n) {
			name = n
			break
		}
	}
	var call bytes.Buffer
	if name == "" || format.Node(&call, pass.Fset, id.Call) != nil {
		return nil
	}
	return &analysis.SuggestedFix{
		Message: "Make the key once, before the retry",
		TextEdits: []analysis.TextEdit{
			{Pos: at, End: at, NewText: fmt.Appendf(nil, "%s := %s\n%s", name, call.Bytes(), edit.Indent(pass, at))},
			{Pos: id.Call.Pos(), End: id.Call.End(), NewText: []byte(name)},
		},
	}
}

// plain says whether a call uses nothing but package-level names, so that it
// means the same outside the retry.
func plain(pass *analysis.Pass, call *ast.CallExpr) bool {
	ok := true
	ast.Inspect(call.Fun, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			switch obj := pass.TypesInfo.ObjectOf(id).(type) {
			case *types.PkgName, *types.Func:
			default:
				ok = ok && obj == nil
			}
		}
		return ok
	})
	return ok
}
