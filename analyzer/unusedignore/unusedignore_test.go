package unusedignore_test

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
)

// bang reports every call of a function named bang.
var bang = &analysis.Analyzer{
	Name:     "bang",
	Doc:      "report calls of bang",
	Requires: []*analysis.Analyzer{suppress.Analyzer},
	Run: suppress.Check(func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "bang" {
						pass.Reportf(call.Pos(), "a bang")
					}
				}
				return true
			})
		}
		return nil, nil
	}),
}

func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unusedignore.New([]*analysis.Analyzer{bang}), "a")
}

func TestSuite(t *testing.T) {
	require.NoError(t, analysis.Validate([]*analysis.Analyzer{unusedignore.Analyzer}))
}

// With -tests, test files are judged as well.
func TestTests(t *testing.T) {
	tests := retrysite.Analyzer.Flags.Lookup("tests")
	require.NoError(t, tests.Value.Set("true"))
	t.Cleanup(func() { require.NoError(t, tests.Value.Set("false")) })
	analysistest.Run(t, analysistest.TestData(), unusedignore.New([]*analysis.Analyzer{bang}), "b")
}
