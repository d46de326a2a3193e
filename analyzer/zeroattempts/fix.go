package zeroattempts

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/edit"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// fix refuses a bound below 1 before the loop, where the function can say so
// with an error and the bound is a name that can be written twice; elsewhere
// it makes one attempt at least. It is nil where the loop does not count from
// the first attempt up to its bound in a way that is seen.
func fix(pass *analysis.Pass, s *retrysite.Site) *analysis.SuggestedFix {
	bound := s.Attempts.Expr
	if !countsUp(pass, s, bound) {
		return nil
	}
	if f := refuse(pass, s, bound); f != nil {
		return f
	}
	if !edit.Builtin(pass, bound.Pos(), "max") || !edit.Go(pass, bound.Pos(), "go1.21") || pass.TypesInfo.Types[bound].Value != nil {
		return nil
	}
	return &analysis.SuggestedFix{
		Message: "Make one attempt at least",
		TextEdits: []analysis.TextEdit{
			{Pos: bound.Pos(), End: bound.Pos(), NewText: []byte("max(")},
			{Pos: bound.End(), End: bound.End(), NewText: []byte(", 1)")},
		},
	}
}

// refuse returns an error before the loop.
func refuse(pass *analysis.Pass, s *retrysite.Site, bound ast.Expr) *analysis.SuggestedFix {
	at := edit.Before(s)
	if !at.IsValid() || !edit.Holds(pass, at, bound) || !edit.ReturnsError(pass, s.Func) {
		return nil
	}
	format, edits, ok := edit.Import(pass, at, "fmt")
	if !ok {
		return nil
	}
	name := edit.Source(pass, bound)
	leave, ok := edit.Leave(pass, s.Func, fmt.Sprintf("%s.Errorf(\"%s is %%d, must be at least 1\", %[2]s)", format, name))
	if !ok {
		return nil
	}
	indent := edit.Indent(pass, at)
	return &analysis.SuggestedFix{
		Message: "Refuse a bound below 1",
		TextEdits: append(edits, analysis.TextEdit{
			Pos: at, End: at, NewText: fmt.Appendf(nil, "if %s < 1 {\n%s\t%s\n%[2]s}\n%[2]s", name, indent, leave),
		}),
	}
}

// countsUp says whether the loop runs as often as its bound says: a range over
// it, or a counter from 0 below it or from 1 up to it.
func countsUp(pass *analysis.Pass, s *retrysite.Site, bound ast.Expr) bool {
	switch loop := s.Node.(type) {
	case *ast.RangeStmt:
		return loop.X == bound
	case *ast.ForStmt:
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		if !ok || cond.Y != bound {
			return false
		}
		init, ok := loop.Init.(*ast.AssignStmt)
		if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 || !sameVar(pass, init.Lhs[0], cond.X) {
			return false
		}
		start := pass.TypesInfo.Types[init.Rhs[0]].Value
		if start == nil || start.Kind() != constant.Int {
			return false
		}
		first, _ := constant.Int64Val(start)
		return cond.Op == token.LSS && first == 0 || cond.Op == token.LEQ && first == 1
	}
	return false
}

func sameVar(pass *analysis.Pass, a, b ast.Expr) bool {
	x, ok := a.(*ast.Ident)
	y, also := b.(*ast.Ident)
	if !ok || !also {
		return false
	}
	v, isVar := pass.TypesInfo.ObjectOf(x).(*types.Var)
	return isVar && pass.TypesInfo.ObjectOf(y) == v
}
