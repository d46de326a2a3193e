//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/retrykit/retrykit/internal/cli"
	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// A named pipe is read as a file is, and waiting for it can be interrupted:
// both for one who opens it, and for one who writes.
func TestNamedPipes(t *testing.T) {
	pipe := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, unix.Mkfifo(path, 0o600))
		return path
	}
	interrupted := func(path string) {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		var out, errs bytes.Buffer
		assert.Equal(t, 2, cli.Main(ctx, []string{"report", path}, cli.Env{Stdout: &out, Stderr: &errs}))
		assert.Contains(t, errs.String(), "interrupted")
	}
	// A pipe of its own: the one who gave up opening it would take the writer
	// of the next one.
	silent := pipe("silent")
	interrupted(silent)
	both, err := os.OpenFile(silent, os.O_RDWR, 0) // ends that one's waiting
	require.NoError(t, err)
	defer both.Close()

	path := pipe("pipe")
	good := generated(t, telemetrygen.Config{})
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, _ = f.Write(good)
			_ = f.Close()
		}
	}()
	code, stdout, stderr := run(t, "", "report", path)
	assert.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "operation-1")

	writer, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer writer.Close()
	interrupted(path)

	code, _, stderr = run(t, "", "watch", path)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "is no file that grows")
}
