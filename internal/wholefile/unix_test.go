//go:build unix

package wholefile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/wholefile"
)

func TestWriteKeepsLinkAndPermissions(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink(file, link))
	require.NoError(t, wholefile.Write(link, []byte("new")))
	assertHolds(t, file, "new")
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, fs.ModeSymlink, info.Mode().Type())
	info, err = os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
}

// As root, renaming onto /dev/null or /dev/stdout would replace the device.
func TestWriteNeverReplacesAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that opening it to write does not wait
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, wholefile.Write(pipe, []byte("hello")))
	info, err := os.Lstat(pipe)
	require.NoError(t, err)
	assert.Equal(t, fs.ModeNamedPipe, info.Mode().Type())
	got := make([]byte, 5)
	_, err = reader.Read(got)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(got))
}
