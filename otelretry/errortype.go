package otelretry

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"strconv"
	"syscall"
)

// other stands for whatever is too many to be told apart, as in OpenTelemetry's
// semantic conventions.
const other = "_OTHER"

// errorType gives the class of an error for the attribute error.type: low in
// cardinality and free of the error's text. The first answer in the chain
// counts: what the error says by a method ErrorType() string, its HTTP status,
// SQLSTATE or gRPC code, a name for the well-known failures of the network
// and the context, and in the end the Go type of the innermost error.
func errorType(err error) string {
	if err == nil {
		return other
	}
	innermost := err
	for e := err; e != nil; {
		if name := knownErrorType(e); name != "" {
			return name
		}
		innermost = e
		switch wrapper := e.(type) {
		case interface{ Unwrap() error }:
			e = wrapper.Unwrap()
		case interface{ Unwrap() []error }:
			e = nil
			for _, branch := range wrapper.Unwrap() {
				if branch != nil {
					return errorType(branch)
				}
			}
		default:
			e = nil
		}
	}
	return reflect.TypeOf(innermost).String()
}

func knownErrorType(err error) string {
	switch e := err.(type) {
	case interface{ ErrorType() string }:
		return e.ErrorType()
	case *net.DNSError:
		return "dns"
	case syscall.Errno:
		switch e {
		case syscall.ECONNREFUSED:
			return "connection_refused"
		case syscall.ECONNRESET:
			return "connection_reset"
		case syscall.EPIPE:
			return "broken_pipe"
		}
	case interface{ SQLState() string }:
		return e.SQLState()
	}
	switch err {
	case ErrAttemptTimeout:
		return "attempt_timeout"
	case context.Canceled:
		return "canceled"
	case context.DeadlineExceeded, os.ErrDeadlineExceeded:
		return "timeout"
	case io.EOF, io.ErrUnexpectedEOF:
		return "unexpected_eof"
	}
	if status, ok := httpStatus(err); ok {
		return statusType(status)
	}
	if code, ok := grpcCode(err); ok && code <= grpcLastCode {
		return grpcCodeNames[code]
	}
	if timeout, ok := err.(interface{ Timeout() bool }); ok && timeout.Timeout() && errors.Unwrap(err) == nil {
		return "timeout"
	}
	return ""
}

// statusTypes are the error types of HTTP's statuses, made once: a failing
// dependency shall not cost an allocation per attempt.
var statusTypes = func() (names [600]string) {
	for status := range names {
		names[status] = strconv.Itoa(status)
	}
	return names
}()

func statusType(status int) string {
	if status >= 0 && status < len(statusTypes) {
		return statusTypes[status]
	}
	return strconv.Itoa(status)
}
