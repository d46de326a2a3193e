package cli_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/retrykit/retrykit/internal/telemetrygen"
)

// TestUnreadableFile opens files as nobody does: root may read everything.
func TestUnreadableFile(t *testing.T) {
	path := file(t, telemetrygen.Config{})
	require.NoError(t, os.Chmod(path, 0))
	if os.Geteuid() == 0 {
		const nobody = 65534
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_, err := unix.SetfsuidRetUid(nobody) // of this thread alone
		require.NoError(t, err)
		defer func() { _, _ = unix.SetfsuidRetUid(0) }()
	}
	code, _, stderr := run(t, "", "report", path)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, path+": permission denied")
}
