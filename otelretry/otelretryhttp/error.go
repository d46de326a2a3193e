package otelretryhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/retrykit/retrykit/otelretry"
)

// StatusError is the failure of an attempt whose response has a status of 400
// or above. The policy's classifiers see it; a caller of the transport doesn't,
// since it gets the response itself.
type StatusError struct {
	// Status is the response's status code.
	Status int
}

// Error says the status in words.
func (e *StatusError) Error() string {
	return fmt.Sprintf("status %d %s", e.Status, http.StatusText(e.Status))
}

// HTTPStatusCode gives the status: otelretry.ClassifyHTTPStatus reads it, and
// telemetry has it as the error.type.
func (e *StatusError) HTTPStatusCode() int { return e.Status }

// errNoResponse is what a base transport does that keeps to no contract.
var errNoResponse = errors.New("otelretryhttp: the base transport gave neither a response nor an error")

// refusedStream is the code by which an HTTP/2 server says that it did nothing
// with a request (RFC 9113, section 8.7).
const refusedStream = 7

// streamError has the fields of the HTTP/2 stream error of net/http, which
// errors.As copies into a struct of the same shape.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (streamError) Error() string { return "HTTP/2 stream error" }

// untouched reports whether the server refused the request's stream, so that
// it was not processed.
func untouched(err error) bool {
	var stream streamError
	return errors.As(err, &stream) && stream.Code == refusedStream
}

// judged marks the error of a send with what the transport knows and the
// policy can't: whether repeating this request does harm.
func (s *send) judged(err error, how *progress) error {
	class := otelretry.ClassifyNetwork(err)
	switch {
	case !s.repeatableBody:
		return otelretry.Permanent(err)
	case untouched(err):
		return otelretry.Retryable(err)
	case !s.harmless && how.wrote.Load():
		return otelretry.Permanent(err)
	case !s.harmless && class == otelretry.ClassAmbiguous && how.unsent(): // as a handshake that took too long
		return otelretry.Retryable(err)
	case s.harmless && connectionLost(err):
		return otelretry.Retryable(err)
	case s.harmless && class == otelretry.ClassUnknown && how.unanswered() && !s.canceled(err):
		return otelretry.Ambiguous(err)
	}
	return err
}

// canceled reports whether the caller gave up, by the context or by the
// deprecated Request.Cancel, whose error has no type.
func (s *send) canceled(err error) bool {
	select {
	//lint:ignore SA1019 callers still use it
	case <-s.request.Cancel:
		return true
	default:
		return errors.Is(err, context.Canceled)
	}
}

// connectionLost reports whether the connection ended without an answer.
func connectionLost(err error) bool {
	var stream streamError
	return errors.Is(err, io.EOF) || errors.As(err, &stream)
}
