package nodeadline_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/nodeadline"
)

// The second folder is what the fix made of the first: it compiles, and the
// check finds nothing more to fix in it.
func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), nodeadline.Analyzer, "fix")
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), nodeadline.Analyzer, "fixed")
}
