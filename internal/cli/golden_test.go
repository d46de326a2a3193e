package cli_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestFixtures reports every fixture of telemetry and compares with what is
// recorded beside it: the table and the JSON, standard error and the exit code.
// Fixtures under reports are named after the public report of the quirk, those
// under formats after the format.
func TestFixtures(t *testing.T) {
	t.Chdir("../../testdata/telemetry")
	for _, dir := range []string{"reports", "formats", "dialects"} {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			t.Run(path, func(t *testing.T) {
				args := []string{path}
				if e.IsDir() { // by name, since a checkout has no times of its own
					args = within(t, path)
				}
				code, table, stderr := run(t, "", append([]string{"report", "-f", "wide"}, args...)...)
				_, asJSON, _ := run(t, "", append([]string{"report", "-f", "json"}, args...)...)
				got := fmt.Sprintf("exit code %d\n\n%s\n%s\n%s", code, stderr, table, asJSON)
				golden := filepath.Join("golden", strings.ReplaceAll(path, string(filepath.Separator), "-")+".txt")
				if *update {
					require.NoError(t, os.MkdirAll("golden", 0o755))
					require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
				}
				want, err := os.ReadFile(golden)
				require.NoError(t, err, "run the test with -update")
				assert.Equal(t, string(want), got)
			})
		}
	}
}

func within(t *testing.T, dir string) (paths []string) {
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, p)
		}
		return err
	}))
	return paths
}
