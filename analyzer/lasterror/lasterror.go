package lasterror

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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

// Analyzer reports retries that give up without the last error; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "lasterror",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("lasterror"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		for _, l := range s.Losses {
			if message := judge(s, l); message != "" && !translates(pass.TypesInfo, s, l) {
				report.Site(pass, s, l.Node.Pos(), l.Node.End(), message, wrap(l))
			}
		}
	}
	return nil, nil
}

// judge is what to say about a loss, "" if it is no fault.
func judge(s *retrysite.Site, l retrysite.Loss) string {
	op := s.Op().Name
	// A timer's own error, or that of a deadline, says enough where it is known what
	// the others were.
	anyFailure := s.Blind || s.Wide
	timed := l.By == retrysite.LossByTimer && anyFailure && l.How != retrysite.LossSentinel
	exhausted := l.By == retrysite.LossByBound || timed
	cancelled := l.By == retrysite.LossByContext
	switch l.How {
	case retrysite.LossText:
		if exhausted || cancelled || l.By == retrysite.LossByOnce {
			return fmt.Sprintf("gives up with the last error from %s as text only, so errors.Is and errors.As can't see it; wrap it with %%w", op)
		}
	case retrysite.LossNew, retrysite.LossSentinel:
		if exhausted && !named(s) {
			return fmt.Sprintf("gives up without the last error from %s, so nobody learns what failed; wrap it with %%w", op)
		}
		if cancelled && l.How == retrysite.LossNew {
			return fmt.Sprintf("gives up when the context ends with an error that has neither the context's nor the last one from %s, so errors.Is finds nothing; wrap both with %%w", op)
		}
	case retrysite.LossNil:
		switch {
		case exhausted:
			return fmt.Sprintf("returns nil when the attempts are used up, so that a failed %s looks like success; return the last error", op)
		case cancelled:
			return fmt.Sprintf("returns nil when the context ends, so that a failed %s looks like success; return the context's error with the last one", op)
		}
	case retrysite.LossBool:
		if exhausted && s.Op().Reach == retrysite.ReachRemote {
			return fmt.Sprintf("gives up with false and no word of the last error from %s, so nobody learns what failed; return the error, or log it", op)
		}
	case retrysite.LossContext:
		if cancelled && l.OwnDeadline && anyFailure {
			return fmt.Sprintf("gives up at its own deadline with the context's error alone, so nobody learns what failed in %s; join both with errors.Join", op)
		}
		if cancelled && l.Promised {
			return fmt.Sprintf("promises the last error but returns the context's alone, so what failed in %s is lost; join both with errors.Join", op)
		}
	case retrysite.LossShadow:
		return fmt.Sprintf("%s is declared anew in the loop, so the one that is returned here is always nil; assign with = there", l.Var.Name())
	}
	return ""
}

// named says whether all that leads back is one error that is compared with: its
// name is all that it says, and so the function that gives up can say what failed.
func named(s *retrysite.Site) bool {
	return slices.ContainsFunc(s.Inspections, func(in retrysite.Inspection) bool {
		return in.How == retrysite.InspectSentinel && in.Only
	})
}

// translates says whether a loss returns one sentinel for another: the error
// is known to be the one that it was compared with, so that nothing else is
// lost.
func translates(info *types.Info, s *retrysite.Site, l retrysite.Loss) (found bool) {
	if l.How != retrysite.LossSentinel {
		return false
	}
	ast.Inspect(s.Func.Body(), func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if ok && branch.Body.Pos() <= l.Node.Pos() && l.Node.End() <= branch.Body.End() && comparesWithSentinel(info, branch.Cond) {
			found = true
		}
		return !found
	})
	return found
}

// comparesWithSentinel says whether a condition holds for one error value
// only: err == ErrX, or errors.Is(err, ErrX).
func comparesWithSentinel(info *types.Info, cond ast.Expr) bool {
	var sentinel ast.Expr
	switch cond := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if cond.Op == token.LAND {
			return comparesWithSentinel(info, cond.X) || comparesWithSentinel(info, cond.Y)
		}
		if cond.Op == token.EQL {
			sentinel = cond.Y
		}
	case *ast.CallExpr:
		fn, _ := typeutil.Callee(info, cond).(*types.Func)
		if fn != nil && fn.FullName() == "errors.Is" {
			sentinel = cond.Args[1]
		}
	}
	var id *ast.Ident
	switch e := sentinel.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return false
	}
	v, ok := info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && types.Implements(v.Type(), errorType)
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// wrap turns the %v or %s that shows the error into %w.
func wrap(l retrysite.Loss) *analysis.SuggestedFix {
	if l.How != retrysite.LossText || l.Verb == nil {
		return nil
	}
	lit, ok := ast.Unparen(l.Verb.Args[0]).(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	at := verbAt(lit.Value, l.VerbArg-1)
	if at < 0 {
		return nil
	}
	pos := lit.Pos() + token.Pos(at)
	return &analysis.SuggestedFix{
		Message:   "Wrap the last error with %w",
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos + 2, NewText: []byte("%w")}},
	}
}

// verbAt is the offset in a literal's source of the plain %v or %s that is its
// nth verb, -1 if that verb is another one or can't be told.
func verbAt(lit string, n int) int {
	for i := 0; i+1 < len(lit); i++ {
		if lit[i] != '%' {
			continue
		}
		if lit[i+1] == '%' {
			i++
			continue
		}
		if n == 0 {
			if lit[i+1] == 'v' || lit[i+1] == 's' {
				return i
			}
			return -1
		}
		if strings.IndexByte("+-# 0123456789.*[", lit[i+1]) >= 0 {
			// Flags and widths: skip to the verb.
			for i++; i < len(lit) && strings.IndexByte("+-# 0123456789.", lit[i]) >= 0; i++ {
			}
			if i < len(lit) && (lit[i] == '*' || lit[i] == '[') {
				return -1
			}
		}
		n--
	}
	return -1
}
