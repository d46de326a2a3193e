package permanentstatus_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/permanentstatus"
)

// What a library runs returns an error for what shall come back.
func TestLibraries(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, permanentstatus.Analyzer, packages...)
}
