package cli

import (
	"io"
	"syscall"
)

var errBrokenPipe error = syscall.ERROR_BROKEN_PIPE

// nobodyReads is found out at the next write.
func nobodyReads(io.Writer) bool { return false }
