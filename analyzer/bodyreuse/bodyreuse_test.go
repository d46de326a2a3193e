package bodyreuse_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/bodyreuse"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), bodyreuse.Analyzer, "request", "without", "made", "rewound", "bodiless")
}
