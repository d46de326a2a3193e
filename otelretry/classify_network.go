package otelretry

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
)

// ClassifyNetwork knows the failures of the standard library's network code.
// Transient, since the request did not reach the server: a refused or reset
// connection, a failed name lookup, any failure to dial. Ambiguous: a
// timeout, a connection lost after sending, an unexpected end of the
// response.
func ClassifyNetwork(err error) Class { return visit(err, networkClass) }

func networkClass(err error) Class {
	switch e := err.(type) {
	case *net.OpError:
		return opClass(e)
	case *net.DNSError:
		return ClassTransient
	case syscall.Errno:
		switch e {
		case syscall.ECONNREFUSED, syscall.ECONNRESET:
			return ClassTransient
		case syscall.EPIPE, syscall.ECONNABORTED, syscall.ETIMEDOUT:
			return ClassAmbiguous
		}
	case *url.Error:
		if e.Err == io.EOF {
			return ClassAmbiguous // the server closed without an answer
		}
	}
	switch err {
	case io.ErrUnexpectedEOF, context.DeadlineExceeded, os.ErrDeadlineExceeded:
		return ClassAmbiguous
	}
	if timeout, ok := err.(interface{ Timeout() bool }); ok && timeout.Timeout() && errors.Unwrap(err) == nil {
		return ClassAmbiguous
	}
	return ClassUnknown
}

// opClass tells by the step that failed whether the request can have reached
// the server.
func opClass(e *net.OpError) Class {
	switch {
	case e.Op == "dial":
		if errors.Is(e.Err, context.Canceled) {
			return ClassUnknown
		}
		return ClassTransient
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return ClassTransient
	case errors.Is(e.Err, syscall.ECONNRESET) && e.Op != "read":
		return ClassTransient
	case e.Op == "read", e.Op == "write", e.Timeout():
		return ClassAmbiguous
	}
	return ClassUnknown
}
