package cli

import "syscall"

var errBrokenPipe error = syscall.ERROR_BROKEN_PIPE
