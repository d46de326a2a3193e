package retrycancel

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that go on after their context has ended; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "retrycancel",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("retrycancel"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range result.Sites {
		if !s.Ended.Repeats || stops(pass.TypesInfo, s) {
			continue
		}
		switch {
		case s.Ended.Compared != nil && outside(s):
			report.Site(pass, s, s.Ended.Compared.Pos(), s.Ended.Compared.End(), fmt.Sprintf(
				"retries %s after the error of a context that it shares with every attempt, which will fail the same way; check %s.Err() first and return",
				s.Op().Name, context(s)), fix(pass, s))
		case s.Ended.Compared == nil && outside(s):
			report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
				"retries %s even when %s has ended, so that a cancelled caller waits for attempts that can't succeed; check %s.Err() before the next one",
				s.Op().Name, context(s), context(s)), fix(pass, s))
		case retrier(pass, s):
			report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
				"retries whatever %s returns, context.Canceled included, so that a caller who has given up is kept; stop when errors.Is finds the context's error",
				s.Op().Name), nil)
		}
	}
	for _, s := range result.Others {
		if s.Shape != retrysite.ShapePoll && s.Ended.Repeats && s.Endless && outside(s) {
			report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
				"goes on calling %s after %s has ended, for ever, since it fails at once from then on; check %s.Err() and return",
				s.Op().Name, context(s), context(s)), fix(pass, s))
		}
	}
	return nil, nil
}

// stops says whether the context is the attempt's own, made in the loop, and
// the loop asks a channel whether to go on: that is what ends it then.
func stops(info *types.Info, s *retrysite.Site) (found bool) {
	v, ok := s.Context.Object.(*types.Var)
	if id, isID := s.Context.Expr.(*ast.Ident); isID {
		v, ok = info.ObjectOf(id).(*types.Var)
	}
	if !ok || s.Body == nil || !s.Contains(v.Pos()) {
		return false
	}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		clause, ok := n.(*ast.CommClause)
		if ok && clause.Comm != nil && len(clause.Body) > 0 {
			_, returns := clause.Body[len(clause.Body)-1].(*ast.ReturnStmt)
			found = found || returns
		}
		return !found
	})
	return found
}

// outside says whether the context comes from outside the loop and can end.
func outside(s *retrysite.Site) bool {
	if s.Context.Detached {
		return false
	}
	switch s.Context.Origin {
	case retrysite.ContextParam, retrysite.ContextField, retrysite.ContextRequest, retrysite.ContextGlobal, retrysite.ContextLibrary:
		return true
	case retrysite.ContextBackground, retrysite.ContextTODO:
		// One that a timeout ends, which was set before the first attempt.
		v, ok := s.Context.Object.(*types.Var)
		return s.Context.Bounded && ok && !s.Contains(v.Pos())
	}
	return false
}

// context is how a message calls the site's context.
func context(s *retrysite.Site) string {
	if s.Context.Origin == retrysite.ContextRequest && s.Context.Expr == nil {
		return s.Context.Object.Name() + ".Context()"
	}
	if s.Context.Origin != retrysite.ContextField && s.Context.Object != nil {
		return s.Context.Object.Name()
	}
	if s.Context.Expr != nil {
		return types.ExprString(s.Context.Expr)
	}
	return "the context"
}

// retrier says whether the site is that of an exported function which retries
// what its callers hand in and gives them no way to say what is permanent.
func retrier(pass *analysis.Pass, s *retrysite.Site) bool {
	op := s.Op()
	if op.Param == nil || op.ContextArg != nil || pass.Pkg.Name() == "main" || s.Func.Decl == nil || s.Func.Obj == nil || !s.Func.Obj.Exported() {
		return false
	}
	return s.Blind && len(s.CancelChecks) == 0 && !s.InspectionUnknown && len(s.Inspections) == 0
}
