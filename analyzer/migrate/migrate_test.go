package migrate_test

import (
	"flag"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrykit/retrykit/analyzer/migrate"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const golden = "testdata/src/plain/plain.go.golden"

func TestAnalyzer(t *testing.T) {
	results := analysistest.Run(t, analysistest.TestData(), migrate.Analyzer, "plain", "other")
	var edits []analysis.TextEdit
	for _, d := range results[0].Diagnostics {
		edits = append(edits, d.SuggestedFixes[0].TextEdits...)
	}
	require.NotEmpty(t, edits)
	if *update {
		before, err := os.ReadFile("testdata/src/plain/plain.go")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(golden, apply(t, results[0], before), 0o644))
	}
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), migrate.Analyzer, "plain")
}

// apply applies every fix, the way that a driver does: equal edits once.
func apply(t *testing.T, r *analysistest.Result, before []byte) []byte {
	t.Helper()
	after := before
	seen := make(map[[2]int]bool)
	var edits []analysis.TextEdit
	for _, d := range r.Diagnostics {
		edits = append(edits, d.SuggestedFixes[0].TextEdits...)
	}
	file := r.Pass.Fset.File(r.Pass.Files[0].FileStart)
	for len(edits) > 0 { // from the end of the file, so that offsets stay
		last := 0
		for i, e := range edits {
			if e.Pos > edits[last].Pos {
				last = i
			}
		}
		e := edits[last]
		edits = append(edits[:last], edits[last+1:]...)
		start, end := file.Offset(e.Pos), file.Offset(e.End)
		if seen[[2]int{start, end}] {
			continue
		}
		seen[[2]int{start, end}] = true
		after = append(append(append([]byte{}, after[:start]...), e.NewText...), after[end:]...)
	}
	formatted, err := format.Source(after)
	require.NoError(t, err, "%s", after)
	return formatted
}

// TestSameBehaviour runs one test against the loops and against what replaced
// them.
func TestSameBehaviour(t *testing.T) {
	repository, err := filepath.Abs("../..")
	require.NoError(t, err)
	for name, source := range map[string]string{"before": "testdata/src/plain/plain.go", "after": golden} {
		t.Run(name, func(t *testing.T) {
			// Inside the repository, so that its go.mod and go.sum apply.
			dir, err := os.MkdirTemp(filepath.Join(repository, "analyzer", "migrate", "testdata"), "tmp-")
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
			for to, from := range map[string]string{"plain.go": source, "plain_test.go": "testdata/behaviour_test.go.txt"} {
				text, err := os.ReadFile(from)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(dir, to), text, 0o644))
			}
			cmd := exec.Command("go", "test", "./"+filepath.Base(dir))
			cmd.Dir = filepath.Dir(dir)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}
