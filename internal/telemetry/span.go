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

	spanState
	last lastSeen
}

// spanState is what is known of the span at hand.
type spanState struct {
	request, attempt, resend, httpClient bool
	peer, method, template, status       string
	file, line                           string
}

// lastSeen are the values of the last span, which the next one's often equal.
type lastSeen struct {
	dependency, operation, outcome, errorType, file, line string
	siteFile, siteLine, site                              string
}

// NewSpanBuilder returns a builder whose strings are interned in the registry.
func NewSpanBuilder(registry *Registry) *SpanBuilder {
	return &SpanBuilder{intern: NewValueInterner(registry).Intern}
}

// Reset starts the next span.
func (b *SpanBuilder) Reset() { b.Span, b.spanState = Span{}, spanState{} }

// Wants reports whether Attr looks at the attribute: a reader need not decode
// the value of another one.
func (b *SpanBuilder) Wants(key []byte) bool {
	switch string(key) {
	case contract.AttrDependency, contract.AttrOperation, contract.AttrOutcome, contract.AttrAttempts, contract.AttrAttempt,
		contract.AttrErrorType, contract.AttrCodeFile, contract.AttrCodeLine,
		"http.request.method", "http.method", "http.request.resend_count", "http.resend_count",
		"http.response.status_code", "http.status_code", "server.address", "net.peer.name", "url.template":
		return true
	}
	return false
}

// Attr takes one attribute; value is its text, unescaped.
func (b *SpanBuilder) Attr(key, value []byte) {
	switch string(key) {
	case contract.AttrDependency:
		b.Dependency = b.same(&b.last.dependency, value)
	case contract.AttrOperation:
		b.Operation = b.same(&b.last.operation, value)
	case contract.AttrOutcome:
		b.request, b.Outcome = true, b.same(&b.last.outcome, value)
	case contract.AttrAttempts:
		b.request, b.Attempts = true, atoi(value)
	case contract.AttrAttempt:
		b.attempt, b.Attempt = true, atoi(value)
	case contract.AttrErrorType:
		b.ErrorType = b.same(&b.last.errorType, value)
	case contract.AttrCodeFile:
		b.file = b.same(&b.last.file, value)
	case contract.AttrCodeLine:
		b.line = b.same(&b.last.line, value)
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

// same interns a value, which is often the last one of its attribute.
func (b *SpanBuilder) same(last *string, value []byte) string {
	if string(value) != *last {
		*last = b.intern(value)
	}
	return *last
}

// Build completes the span and reports whether it is worth keeping. client
// says whether its kind is CLIENT; name is its name.
func (b *SpanBuilder) Build(name []byte, client bool) bool {
	switch {
	case b.attempt:
		b.Role = Attempt
		if b.Attempt == 1 && !b.Failed && b.ErrorType == "" {
			return false // the request span says all that this one could
		}
	case b.request:
		b.Role = Request
		if b.Operation == "" {
			b.Operation = b.intern(name)
		}
		if b.file != "" {
			b.CallSite = b.file
			if b.line != "" {
				if b.file != b.last.siteFile || b.line != b.last.siteLine {
					b.last.siteFile, b.last.siteLine = b.file, b.line
					b.last.site = b.intern([]byte(b.file + ":" + b.line))
				}
				b.CallSite = b.last.site
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
		return false
	}
	return true
}

func atoi(text []byte) int {
	n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
