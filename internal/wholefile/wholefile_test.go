package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/wholefile"
)

func TestWriteReplacesTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.yaml")
	require.NoError(t, wholefile.Write(path, []byte("a long first text")))
	require.NoError(t, wholefile.Write(path, []byte("short")))
	assertHolds(t, path, "short")
	assertAlone(t, filepath.Dir(path), 1)
}

func TestWriteRefusesADirectoryAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "out")
	require.NoError(t, os.Mkdir(target, 0o700))
	err := wholefile.Write(target, []byte("x"))
	require.ErrorContains(t, err, target+": it is a directory; name a file in it")
	assertAlone(t, dir, 1)

	err = wholefile.Write(filepath.Join(dir, "missing", "out"), []byte("x"))
	require.ErrorIs(t, err, os.ErrNotExist)
	assertAlone(t, dir, 1)
}

func assertHolds(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, want, string(got))
}

func assertAlone(t *testing.T, dir string, files int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, files, "no temporary file is left")
}
