package retrysite_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

func TestDelayers(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrysite.Facts, "delays")
}
