package percallbudget_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/percallbudget"
)

func Test(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "*")
	analysistest.Run(t, dir, percallbudget.Analyzer, packages...)
}
