package otelretryhttp

import (
	"errors"
	"fmt"
	"net/http"
	"net/textproto"

	"golang.org/x/net/http/httpguts"
)

// DefaultBodyBuffer is how many bytes of a body without GetBody are kept in
// memory to be sent again.
const DefaultBodyBuffer = 64 << 10

// DefaultKeyHeader is the header that idempotency keys are sent in: that of
// the IETF draft "The Idempotency-Key HTTP Header Field".
const DefaultKeyHeader = "Idempotency-Key"

// Option is a setting of a [Transport]; see [NewTransport].
type Option func(*settings)

type settings struct {
	name       func(*http.Request) string
	keyHeader  string
	addKeys    bool
	bodyBuffer int64
	wrong      []error
}

// WithIdempotencyKeys adds the request's idempotency key (see
// otelretry.IdempotencyKey) to requests that are not idempotent by their
// method and carry none, which makes them safe to repeat at servers that
// honour it. header is the name of the header, "" means [DefaultKeyHeader]. A
// key that the caller set in that header is kept. By default no key is added.
func WithIdempotencyKeys(header string) Option {
	return func(s *settings) {
		s.addKeys = true
		if header == "" {
			return
		}
		if !httpguts.ValidHeaderFieldName(header) {
			s.wrong = append(s.wrong, fmt.Errorf("WithIdempotencyKeys: %q is not the name of an HTTP header", header))
			return
		}
		s.keyHeader = textproto.CanonicalMIMEHeaderKey(header)
	}
}

// WithBodyBuffer sets how many bytes of a body that has no GetBody may be kept
// in memory, so that the request can be sent again. Only a body whose
// ContentLength is known and within the limit is read ahead; all others are
// sent once. 0 keeps nothing. Default [DefaultBodyBuffer].
func WithBodyBuffer(bytes int64) Option {
	return func(s *settings) {
		if bytes < 0 {
			s.wrong = append(s.wrong, fmt.Errorf("WithBodyBuffer: %d is negative; 0 keeps no body in memory", bytes))
			return
		}
		s.bodyBuffer = bytes
	}
}

// WithOperationName names the operation of a request for telemetry. The names
// must be few, such as route templates ("GET /orders/{id}") and never URLs: a
// transport tells 64 of them apart, the rest is counted under "_OTHER".
// Default: the method, which the package bounds itself.
func WithOperationName(name func(*http.Request) string) Option {
	return func(s *settings) {
		if name == nil {
			s.wrong = append(s.wrong, errors.New("WithOperationName: the function is nil; leave the option out for the default"))
			return
		}
		s.name = name
	}
}

// methodName is the default name of an operation.
func methodName(r *http.Request) string {
	switch r.Method {
	case "":
		return http.MethodGet
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return r.Method
	}
	return otherName
}
