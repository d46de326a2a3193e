//go:build !windows

package cli

import "syscall"

var errBrokenPipe error = syscall.EPIPE
