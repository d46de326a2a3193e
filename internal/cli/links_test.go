package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// Links within a folder that lead back to it end nowhere, and what they keep from
// being read is said.
func TestLinksToDirectories(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "telemetry.jsonl"), generated(t, telemetrygen.Config{}), 0o600))
	for _, name := range []string{"here", "there"} {
		if err := os.Symlink(".", filepath.Join(folder, name)); err != nil {
			require.ErrorContains(t, err, "privilege") // Windows, without developer mode
			return
		}
	}
	for _, args := range [][]string{{"report", folder}, {"watch", "--rounds", "1", folder}} {
		code, stdout, stderr := run(t, "", args...)
		assert.Equal(t, 0, code, "%s: %s", args, stderr)
		assert.Contains(t, stdout, "skipped: 2 x link to a directory, which is not followed, first at "+filepath.Join(folder, "here"))
		assert.Contains(t, stdout, ": 1 file, ")
	}
}
