package unbounded_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/unbounded"
)

// A policy of a library's may end what asks it for its delays.
func TestLibraries(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, unbounded.Analyzer, packages...)
}
