package blindsleep_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/blindsleep"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), blindsleep.Analyzer, "loops", "silent", "answers", "hidden", "again")
}
