//go:build !windows

package cli

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

var errBrokenPipe error = syscall.EPIPE

// nobodyReads reports whether w is a pipe whose other end was closed, which
// else shows only at the next write.
func nobodyReads(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(fd uintptr) {
		polled := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(polled, 0)
		closed = err == nil && n > 0 && polled[0].Revents&(unix.POLLERR|unix.POLLNVAL) != 0
	})
	return err == nil && closed
}
