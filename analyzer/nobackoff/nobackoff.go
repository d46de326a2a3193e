package nobackoff

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports failures that go straight back to the operation; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "nobackoff",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("nobackoff"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		if !straight(pass.TypesInfo, s) || once(pass, s) || toldOfAttempts(pass, s) {
			continue
		}
		report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
			"a failed %s is repeated at once, which hits a server that is down or throttling %s in a row; wait between attempts, longer each time and with jitter",
			s.Op().Name, report.Times(s)), nil)
	}
	return nil, nil
}

// straight says whether a failure goes back to a call that leaves the process
// without any pause.
func straight(info *types.Info, s *retrysite.Site) bool {
	if len(s.Waits) > 0 || s.WaitUnknown {
		return false
	}
	switch op := s.Op(); op.Reach {
	case retrysite.ReachRemote, retrysite.ReachParam:
	default:
		return false
	}
	if s.Attempts.Kind == retrysite.BoundOther {
		return false // whatever is asked may wait
	}
	if s.Attempts.Kind == retrysite.BoundConst && s.Attempts.Max <= 2 {
		return false // the first retry only
	}
	if s.Kind == retrysite.KindLibrary || s.Kind == retrysite.KindWrapper {
		return false
	}
	return s.Blind || s.Wide || general(s.Inspections) || len(s.Inspections) == 0 && tellsInField(info, s.Op())
}

// tellsInField says whether the operation's answer has the error in one of its
// fields, so that to look at it is no more than to ask whether it failed.
func tellsInField(info *types.Info, op *retrysite.Operation) bool {
	t := info.TypeOf(op.Call)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if types.Identical(f.Type(), types.Universe.Lookup("error").Type()) {
			return true
		}
	}
	return false
}

// toldOfAttempts says whether the operation is a function which the caller
// hands in, and is told by something that the loop keeps about the attempts so
// far: it may go to another server each time.
func toldOfAttempts(pass *analysis.Pass, s *retrysite.Site) (found bool) {
	if s.Op().Reach != retrysite.ReachParam || s.Body == nil {
		return false
	}
	for _, a := range s.Op().Call.Args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok {
			continue
		}
		kept := pass.TypesInfo.ObjectOf(id)
		changes := func(e ast.Expr) {
			if field, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !s.Contains(kept.Pos()) {
				of, ok := ast.Unparen(field.X).(*ast.Ident)
				found = found || ok && pass.TypesInfo.ObjectOf(of) == kept
			}
		}
		ast.Inspect(s.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IncDecStmt:
				changes(n.X)
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					changes(l)
				}
			}
			return !found
		})
	}
	return found
}

// once says whether the bound on attempts is a parameter that all callers set
// to 2 at most: the first retry only.
func once(pass *analysis.Pass, s *retrysite.Site) bool {
	bound, ok := ast.Unparen(s.Attempts.Expr).(*ast.Ident)
	if s.Attempts.Expr == nil || !ok || s.Func.Obj == nil || s.Func.Obj.Exported() {
		return false
	}
	index := -1
	for i := range s.Func.Obj.Signature().Params().Len() {
		if pass.TypesInfo.ObjectOf(bound) == s.Func.Obj.Signature().Params().At(i) {
			index = i
		}
	}
	if index < 0 {
		return false
	}
	calls, few := 0, true
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || typeutil.Callee(pass.TypesInfo, call) != s.Func.Obj || index >= len(call.Args) {
				return true
			}
			calls++
			value := pass.TypesInfo.Types[call.Args[index]].Value
			if value == nil || constant.Compare(value, token.GTR, constant.MakeInt64(2)) {
				few = false
			}
			return true
		})
	}
	return calls > 0 && few
}

// asksWhetherToRetry matches names of predicates that answer for every kind of
// failure that may pass.
var asksWhetherToRetry = retrysite.Matcher(`(?i)retr(y|iable|yable)|transient|temporary`)

// meansLater matches names and texts of failures that are not over at once: the
// other side is down, slow or has too much to do, or asks for another attempt.
var meansLater = retrysite.Matcher(`(?i)^(err)?(_?)retry|retr(iable|yable)|transient|temporar|time-?d?[ _]?-?out|unavailable|refused|throttl|overload|rate ?limit|too ?many ?requests`)

// textIn is the text constants in a condition.
func textIn(cond ast.Expr) string {
	var b strings.Builder
	ast.Inspect(cond, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			b.WriteString(lit.Value)
		}
		return true
	})
	return b.String()
}

// general says whether what is looked at before the next attempt may be any
// kind of failure. A named sentinel or a type, by contrast, is often one that
// another attempt cures at once: a stale connection, a moved target, a lost
// race.
func general(list []retrysite.Inspection) bool {
	for _, in := range list {
		if !in.Stops {
			continue
		}
		switch in.How {
		case retrysite.InspectResult, retrysite.InspectStatus:
		case retrysite.InspectIs, retrysite.InspectSentinel:
			if in.Sentinel == nil || !meansLater(in.Sentinel.Name()) {
				return false
			}
		case retrysite.InspectText:
			if !meansLater(textIn(in.Expr)) {
				return false
			}
		case retrysite.InspectPredicate:
			if in.Callee != nil && in.Callee.Name() == "Error" && meansLater(textIn(in.Expr)) {
				continue // what its text says
			}
			if in.Callee == nil || !asksWhetherToRetry(in.Callee.Name()) {
				return false
			}
		default:
			return false
		}
	}
	return len(list) > 0
}
