package deferattempt_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/deferattempt"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), deferattempt.Analyzer, "inloop")
}
