package endless

import (
	"bufio"
	"errors"
	"net"
)

type reader struct {
	conn net.Conn
	buf  *bufio.Reader
}

// line leaves the process where the buffer is empty.
func (r *reader) line() ([]byte, error) {
	if _, err := r.conn.Write([]byte("more\n")); err != nil {
		return nil, err
	}
	return r.buf.ReadSlice('\n')
}

// The buffer was full, and reading goes on.
func (r *reader) all() (b []byte, err error) {
	for {
		part, err := r.line()
		b = append(b, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		return b, err
	}
}

var errLost = errors.New("lost")

func (r *reader) lost() (b []byte, err error) {
	for { // want `retries r.line for as long as it fails`
		part, err := r.line()
		b = append(b, part...)
		if err == errLost {
			continue
		}
		return b, err
	}
}
