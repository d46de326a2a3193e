package command_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManyFindings runs the whole way with as many findings as no module
// should have.
func TestManyFindings(t *testing.T) {
	const n = 10_000
	fetchlint, err := exec.LookPath("fetchlint")
	require.NoError(t, err)
	dir := t.TempDir()
	var source strings.Builder
	source.WriteString("package m\n\nfunc Fetch() int { return 1 }\nfunc Get() int   { return 1 }\n\nfunc all() {\n")
	for range n {
		source.WriteString("\t_ = Fetch()\n")
	}
	source.WriteString("}\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte(source.String()), 0o644))

	run := func(wantCode int, args ...string) string {
		cmd := exec.Command(fetchlint, args...)
		cmd.Dir = dir
		out, _ := cmd.Output()
		require.Equal(t, wantCode, cmd.ProcessState.ExitCode(), "fetchlint %s", strings.Join(args, " "))
		return string(out)
	}
	assert.Equal(t, n, strings.Count(run(1, "-c=-1"), "\n"))

	var sarif struct {
		Runs []struct {
			Results []struct{ PartialFingerprints map[string]string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(run(1, "-format=sarif")), &sarif))
	require.Len(t, sarif.Runs[0].Results, n)
	distinct := make(map[string]bool)
	for _, r := range sarif.Runs[0].Results {
		distinct[fmt.Sprint(r.PartialFingerprints)] = true
	}
	assert.Len(t, distinct, n, "equal lines have fingerprints of their own")

	run(0, "-write-baseline=known.json")
	assert.Empty(t, run(0, "-baseline=known.json"))

	assert.Empty(t, run(0, "-fix"))
	after, err := os.ReadFile(filepath.Join(dir, "m.go"))
	require.NoError(t, err)
	assert.Equal(t, n, strings.Count(string(after), "_ = Get()"))
}
