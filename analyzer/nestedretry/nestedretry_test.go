package nestedretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/nestedretry"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nestedretry.Analyzer, "nested", "shop")
}
