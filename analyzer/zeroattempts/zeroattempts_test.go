package zeroattempts_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/zeroattempts"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), zeroattempts.Analyzer, "zero", "silent", "emptyslots", "wrapped")
}
