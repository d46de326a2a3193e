package staleattempt_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/staleattempt"
)

func Test(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "*")
	analysistest.RunWithSuggestedFixes(t, dir, staleattempt.Analyzer, packages...)
}
