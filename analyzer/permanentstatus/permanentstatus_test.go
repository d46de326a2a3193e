package permanentstatus_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/permanentstatus"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), permanentstatus.Analyzer, "carried", "carriedsilent", "statuses", "silent")
}
