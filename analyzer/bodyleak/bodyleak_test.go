package bodyleak_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/bodyleak"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), bodyleak.Analyzer, "open", "literal")
}
