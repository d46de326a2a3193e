package blindsleep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/blindsleep"
)

// The second folder is what the fix made of the first: it compiles, and the
// check finds nothing more to fix in it.
func TestFix(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), blindsleep.Analyzer, "fix")
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), blindsleep.Analyzer, "fixed")
}
