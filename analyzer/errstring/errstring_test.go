package errstring_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/errstring"
)

func Test(t *testing.T) {
	for _, dir := range []string{"contains", "predicate", "marker", "textswitch", "silent"} {
		t.Run(dir, func(t *testing.T) {
			analysistest.Run(t, analysistest.TestData(), errstring.Analyzer, dir)
		})
	}
}
