package bareretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/bareretry"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), bareretry.Analyzer, "loops", "silent", "told", "recursion", "judged", "wrapped", "idle", "rounds", "handed")
}
