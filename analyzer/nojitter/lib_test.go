package nojitter_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/libstub"
	"github.com/retrykit/retrykit/analyzer/nojitter"
)

func TestLibraries(t *testing.T) {
	dir, packages := libstub.Dir(t, "testdata/src", "lib_*")
	analysistest.Run(t, dir, nojitter.Analyzer, packages...)
}
