package bodyleak_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/bodyleak"
	"github.com/retrykit/retrykit/analyzer/internal/libstub"
)

// Functions that are given to retry libraries are retried as a loop's body is.
func TestLibraries(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, bodyleak.Analyzer, packages...)
}
