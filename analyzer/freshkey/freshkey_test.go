package freshkey_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/freshkey"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), freshkey.Analyzer, "loops", "silent", "requeued")
}
