package nojitter_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/nojitter"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nojitter.Analyzer, "instep", "elsewhere", "retrier", "stored", "greatest", "limited", "calculated", "drawn", "helped")
}
