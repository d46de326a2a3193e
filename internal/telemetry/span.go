package telemetry

import (
	"bytes"
	"strconv"

	"github.com/retrykit/retrykit/internal/contract"
)

// SpanBuilder collects a span's attributes as a reader meets them and decides
// whether the span is worth keeping. One per goroutine.
type SpanBuilder struct {
	Span
	intern func([]byte) string

	request, attempt, resend, httpClient bool
	peer, method, template, status       string
	file, line                           string
}

// NewSpanBuilder returns a builder whose strings are interned by intern.
func NewSpanBuilder(intern func([]byte) string) *SpanBuilder {
	return &SpanBuilder{intern: intern}
}

// Reset starts the next span.
func (b *SpanBuilder) Reset() { *b = SpanBuilder{intern: b.intern} }

// Attr takes one attribute; value is its text, unescaped.
func (b *SpanBuilder) Attr(key, value []byte) {
	switch string(key) {
	case contract.AttrDependency:
		b.Dependency = b.intern(value)
	case contract.AttrOperation:
		b.Operation = b.intern(value)
	case contract.AttrOutcome:
		b.request, b.Outcome = true, b.intern(value)
	case contract.AttrAttempts:
		b.request, b.Attempts = true, atoi(value)
	case contract.AttrAttempt:
		b.attempt, b.Attempt = true, atoi(value)
	case contract.AttrErrorType:
		b.ErrorType = b.intern(value)
	case contract.AttrCodeFile:
		b.file = b.intern(value)
	case contract.AttrCodeLine:
		b.line = b.intern(value)
	case "http.request.method", "http.method":
		b.httpClient, b.method = true, b.intern(value)
	case "http.request.resend_count", "http.resend_count":
		b.resend, b.Attempt = true, atoi(value)
	case "http.response.status_code", "http.status_code":
		b.status = b.intern(value)
	case "server.address", "net.peer.name":
		b.peer = b.intern(value)
	case "url.template":
		b.template = b.intern(value)
	}
}

// Build returns the span if it is worth keeping. client says whether its kind
// is CLIENT; name is its name.
func (b *SpanBuilder) Build(name []byte, client bool) (Span, bool) {
	switch {
	case b.attempt:
		b.Role = Attempt
	case b.request:
		b.Role = Request
		if b.Operation == "" {
			b.Operation = b.intern(name)
		}
		if b.file != "" {
			b.CallSite = b.file
			if b.line != "" {
				b.CallSite = b.intern([]byte(b.file + ":" + b.line))
			}
		}
	case b.httpClient && client || b.resend:
		b.Role = HTTPClient
		b.Dependency = b.peer
		b.Operation = b.method
		if b.template != "" {
			b.Operation = b.intern([]byte(b.method + " " + b.template))
		}
		if b.ErrorType == "" && b.Failed {
			b.ErrorType = b.status
		}
	default:
		return Span{}, false
	}
	return b.Span, true
}

func atoi(text []byte) int {
	n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
