package bareretry

import (
	_ "embed"
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that never look at what failed; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "bareretry",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("bareretry"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	for _, s := range sites.Sites {
		op := s.Op()
		if s.Classified() || op.OneWay || op.Reach == retrysite.ReachUnknown || connects(pass.TypesInfo, op) || s.Untold || mendedOnce(s) {
			continue
		}
		report.Site(pass, s, s.Pos(), op.Call.End(), fmt.Sprintf(
			"retries every error from %s, so one that is permanent (a 400, a refused login) is sent %s; decide with errors.Is or errors.As which are transient, and return the others",
			op.Name, report.Times(s)), nil)
	}
	return nil, nil
}

// connects says whether the operation does nothing but open a connection with
// package net: that it was refused, reset or timed out, or that a name was not
// found, may be over the next time.
func connects(info *types.Info, op *retrysite.Operation) bool {
	if op.Callee != nil && op.Callee.Pkg() != nil && op.Callee.Pkg().Path() == "net" && strings.HasPrefix(op.Callee.Name(), "Dial") {
		return true
	}
	// Whoever gives nothing but a connection does no more, as far as one can see.
	t, ok := info.TypeOf(op.Call).(*types.Tuple)
	return ok && t.Len() == 2 && t.At(0).Type().String() == "net.Conn"
}

// mendedOnce says whether the operation is run once more at most, and that after
// another one has done away with what may have been in its way.
func mendedOnce(s *retrysite.Site) bool {
	return s.Mended && s.Attempts.Kind == retrysite.BoundConst && s.Attempts.Max <= 2
}
