package zeroattempts

import (
	_ "embed"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that may make no attempt at all; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "zeroattempts",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("zeroattempts"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	for _, s := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).Sites {
		if !s.Zero.Possible {
			continue
		}
		then := "nil is returned as if it had succeeded"
		switch {
		case s.Zero.Uses != nil:
			then = "the function goes on with a nil result"
		case s.Zero.Panics != nil:
			then = "the function panics on an index before the first"
		}
		report.Site(pass, s, s.Attempts.Expr.Pos(), s.Attempts.Expr.End(), fmt.Sprintf(
			"%s comes from outside and may be %s: then %s is never called and %s; refuse such a value, or make one attempt at least",
			s.Zero.Bound.Name(), lessThan(s.Zero.Least, unsigned(pass.TypesInfo.TypeOf(s.Attempts.Expr))), s.Op().Name, then), fix(pass, s))
	}
	return nil, nil
}

func lessThan(n int64, unsigned bool) string {
	switch {
	case n == 1 && unsigned:
		return "zero"
	case n == 1:
		return "zero or less"
	case n == 0:
		return "negative"
	}
	return fmt.Sprint("less than ", n)
}

func unsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}
