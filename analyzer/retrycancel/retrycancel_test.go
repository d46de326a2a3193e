package retrycancel_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/retrycancel"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrycancel.Analyzer, "cancelled", "receiver", "asked", "request", "within", "coded")
}
