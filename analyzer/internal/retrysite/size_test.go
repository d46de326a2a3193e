package retrysite_test

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// TestFactsAreSmall caps what facts add to the files that go vet keeps for each
// package: drivers write and read them for every package that imports one.
func TestFactsAreSmall(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule},
		"google.golang.org/grpc", "google.golang.org/grpc/internal/transport", "github.com/jackc/pgx/v5/pgconn")
	require.NoError(t, err)
	require.Len(t, pkgs, 3)
	require.Zero(t, packages.PrintErrors(pkgs))
	graph, err := checker.Analyze([]*analysis.Analyzer{retrysite.Facts}, pkgs, nil)
	require.NoError(t, err)
	facts, size := 0, 0
	for _, act := range graph.Roots {
		require.NoError(t, act.Err)
		for _, f := range act.AllObjectFacts() {
			var buf bytes.Buffer
			// Each on its own stream, which makes gob repeat the type: an upper
			// bound for one stream of all.
			require.NoError(t, gob.NewEncoder(&buf).Encode(f.Fact))
			assert.Less(t, buf.Len(), 200, "%s: %s", f.Object, f.Fact)
			facts, size = facts+1, size+buf.Len()
		}
		assert.Empty(t, act.AllPackageFacts())
	}
	require.NotZero(t, facts, "there is something to measure")
	assert.Less(t, size, 4<<10, "bytes of %d facts", facts)
	t.Logf("%d facts, %d bytes", facts, size)
}
