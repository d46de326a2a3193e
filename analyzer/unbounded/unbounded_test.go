package unbounded_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/unbounded"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unbounded.Analyzer, "endless", "undone", "owned", "flag")
}
