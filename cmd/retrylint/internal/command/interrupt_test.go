//go:build unix

package command_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An interrupt, or the SIGTERM of a timeout, ends an analysis that would never
// end, and says so.
func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) { testInterrupt(t, signal) })
	}
}

func testInterrupt(t *testing.T, signal os.Signal) {
	fetchlint, err := exec.LookPath("fetchlint")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte("package m\n"), 0o644))
	cmd := exec.Command(fetchlint, "-hang")
	cmd.Dir = dir
	pipe, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stderr := bufio.NewReader(pipe)
	line, err := stderr.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "hanging\n", line)
	require.NoError(t, cmd.Process.Signal(signal))
	rest, err := io.ReadAll(stderr)
	require.NoError(t, err)
	assert.Equal(t, "retrylint: interrupted before it was done\n", string(rest))
	_ = cmd.Wait()
	assert.Equal(t, 2, cmd.ProcessState.ExitCode())
}
