package backoffcap_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/backoffcap"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), backoffcap.Analyzer, "loops", "calculators", "elsewhere", "elsewhere/pacing", "unrelated", "greatest", "beforecap", "clamped", "asked")
}
