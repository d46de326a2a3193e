package lastsleep

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports waits after the last attempt; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "lastsleep",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("lastsleep"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

// shortest is a wait that is too short for a caller to notice.
const shortest = 10 * time.Millisecond

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range sites.Sites {
		for _, w := range s.Waits {
			if w.AfterLast != retrysite.Yes || w.HasConst && w.Const < shortest || sites.OfInner(s, w) || s.LastTry || brings(pass.TypesInfo, w) {
				continue
			}
			report.Site(pass, s, w.Node.Pos(), w.Node.End(), fmt.Sprintf(
				"waits after the last failed %s as well and then gives up, so that the caller gets the error late; skip the wait on the last attempt",
				s.Op().Name), skip(s, w))
			break
		}
	}
	return nil, nil
}

// brings says whether a wait is one for something that it returns, which is
// worth it after the last attempt too.
func brings(info *types.Info, w *retrysite.Wait) bool {
	call, ok := w.Node.(*ast.CallExpr)
	if !ok {
		return false
	}
	results, ok := info.TypeOf(call).(*types.Tuple)
	if !ok {
		return false
	}
	for v := range results.Variables() {
		_, isPointer := v.Type().Underlying().(*types.Pointer)
		_, isParam := types.Unalias(v.Type()).(*types.TypeParam)
		if isPointer || isParam {
			return true
		}
	}
	return false
}

// skip puts the wait under a condition, where it is a statement of its own in
// a loop whose counter runs from 0 to a bound that is cheap to repeat.
func skip(s *retrysite.Site, w *retrysite.Wait) *analysis.SuggestedFix {
	stmt, counter, bound := w.Statement, s.Attempts.Counter, s.Attempts.Expr
	if stmt == nil || counter == nil || bound == nil || w.Helper != nil || w.How != retrysite.WaitSleep {
		return nil
	}
	last := types.ExprString(bound) + "-1"
	switch bound := ast.Unparen(bound).(type) {
	case *ast.BasicLit:
		if n, err := strconv.ParseInt(bound.Value, 0, 64); err == nil {
			last = strconv.FormatInt(n-1, 10)
		}
	case *ast.Ident:
	case *ast.SelectorExpr:
		if _, ok := bound.X.(*ast.Ident); !ok {
			return nil
		}
	default:
		return nil
	}
	switch loop := s.Node.(type) {
	case *ast.RangeStmt:
		if key, ok := loop.Key.(*ast.Ident); !ok || key.Name == "_" {
			return nil
		}
	case *ast.ForStmt:
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.LSS {
			return nil
		}
		if id, ok := cond.X.(*ast.Ident); !ok || id.Name != counter.Name() {
			return nil
		}
	default:
		return nil
	}
	return &analysis.SuggestedFix{
		Message: "Skip the wait on the last attempt",
		TextEdits: []analysis.TextEdit{
			{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte("if " + counter.Name() + " < " + last + " {\n")},
			{Pos: stmt.End(), End: stmt.End(), NewText: []byte("\n}")},
		},
	}
}
