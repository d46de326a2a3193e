package nodeadline_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/nodeadline"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nodeadline.Analyzer, "loops", "silent")
}
