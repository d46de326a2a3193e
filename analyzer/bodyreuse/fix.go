package bodyreuse

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix gives each attempt a body of its own: a new reader of the bytes that a
// buffer holds, or what a request's GetBody makes. It is nil for a reader of
// which nothing is known: reading it into memory first may be too much.
func fix(pass *analysis.Pass, s *retrysite.Site, sp retrysite.Spent) *analysis.SuggestedFix {
	id, ok := ast.Unparen(sp.Arg).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := pass.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	switch {
	case v.Type().String() == "*bytes.Buffer":
		bytesPkg, edits, ok := edit.Import(pass, sp.Arg.Pos(), "bytes")
		if !ok {
			return nil
		}
		return &analysis.SuggestedFix{
			Message: "Make a reader of " + v.Name() + "'s bytes for each attempt",
			TextEdits: append(edits, analysis.TextEdit{
				Pos: sp.Arg.Pos(), End: sp.Arg.End(), NewText: fmt.Appendf(nil, "%s.NewReader(%s.Bytes())", bytesPkg, v.Name()),
			}),
		}
	case sp.Request:
		return renew(pass, s, sp, v)
	}
	return nil
}

// renew sets the body of a request anew for each attempt. Of one that the
// function made itself, GetBody must be known to be there.
func renew(pass *analysis.Pass, s *retrysite.Site, sp retrysite.Spent, req *types.Var) *analysis.SuggestedFix {
	fn := s.Func
	if s.Attempt != nil {
		fn = s.Attempt
	}
	if s.Body == nil || len(s.Body.List) == 0 || !sp.GetBody && !parameter(pass, s.Func, req) {
		return nil
	}
	at := s.Body.List[0].Pos()
	if !edit.Means(pass, at, req.Name(), req) || req.Name() == "body" || req.Name() == "err" || !edit.ReturnsError(pass, fn) {
		return nil
	}
	leave, ok := edit.Leave(pass, fn, "err")
	if !ok {
		return nil
	}
	return &analysis.SuggestedFix{
		Message: "Take a new body from " + req.Name() + ".GetBody for each attempt",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: fmt.Appendf(nil,
			"if %s.GetBody != nil {\nbody, err := %[1]s.GetBody()\nif err != nil {\n%s\n}\n%[1]s.Body = body\n}\n", req.Name(), leave)}},
	}
}

// parameter says whether v is one of the function, or of one around it.
func parameter(pass *analysis.Pass, fn *retrysite.Func, v *types.Var) bool {
	for ; fn != nil; fn = fn.Outer {
		for _, field := range fn.Type().Params.List {
			for _, name := range field.Names {
				if pass.TypesInfo.Defs[name] == v {
					return true
				}
			}
		}
	}
	return false
}
