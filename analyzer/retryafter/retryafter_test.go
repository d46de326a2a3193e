package retryafter_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/retryafter"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryafter.Analyzer, "carried", "unread", "seconds", "uncapped", "silent", "capped")
}
