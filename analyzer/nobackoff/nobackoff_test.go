package nobackoff_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/nobackoff"
)

func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nobackoff.Analyzer, "straight", "named", "datagram", "sockets", "awaited", "another", "recovers", "far", "told")
}
