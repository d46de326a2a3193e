package nestedretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/nestedretry"
)

// Clients of libraries retry by themselves, unless they are told not to.
func TestLibraries(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, nestedretry.Analyzer, packages...)
}
