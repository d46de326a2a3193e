//go:build unix

package wholefile_test

import (
	"fmt"
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

// What standard output was redirected to is gone on writing to, as the shell's
// > and >> have it: replacing it would lose what others wrote there.
func TestWriteGoesOnInAnOpenFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	before, err := os.Stat(file.Name())
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = stdout }()
	_, err = file.WriteString("first\n")
	require.NoError(t, err)
	for _, path := range []string{"/dev/stdout", "/dev/fd/1", "/dev/../dev/stdout"} {
		require.NoError(t, wholefile.Write(path, []byte(path+"\n")))
	}
	if _, err := os.Stat("/dev/fd"); err == nil {
		require.NoError(t, wholefile.Write(fmt.Sprintf("/dev/fd/%d", file.Fd()), []byte("last\n")))
		assertHolds(t, file.Name(), "first\n/dev/stdout\n/dev/fd/1\n/dev/../dev/stdout\nlast\n")
	}
	after, err := os.Stat(file.Name())
	require.NoError(t, err)
	assert.True(t, os.SameFile(before, after))
	assertAlone(t, filepath.Dir(file.Name()), 1)
}
