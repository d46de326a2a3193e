package lasterror_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/lasterror"
)

func Test(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), lasterror.Analyzer, "counted", "astext", "fresh", "shadow", "overwritten", "candidates", "onlyone", "rounds", "timed", "bare", "promised", "steps")
}
