package unsafemethod_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/unsafemethod"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), unsafemethod.Analyzer, "wrapped", "post", "silent")
}
