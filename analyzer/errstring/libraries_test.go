package errstring_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/errstring"
	"github.com/retrykit/retrykit/analyzer/internal/libstub"
)

// A library may be told by a function which failures are worth another attempt.
func TestLibraries(t *testing.T) {
	t.Parallel()
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, errstring.Analyzer, packages...)
}
