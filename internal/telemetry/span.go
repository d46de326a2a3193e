package telemetry

import (
	"bytes"
	"math"
	"strconv"

	"github.com/retrykit/retrykit/internal/contract"
)

// SpanBuilder collects a span's attributes as a reader meets them and decides
// whether the span is worth keeping. One per goroutine.
type SpanBuilder struct {
	Span     // what is no attribute: the reader sets it, and Build the rest
	intern   func([]byte) string
	registry *Registry

	attrs *spanAttrs // of the span at hand; nil when it has none yet
	own   spanAttrs  // what attrs points to, unless they were recalled
	last  lastSeen
	text  []byte // of a call site
	recalled
}

// spanAttrs is what a span's attributes say of it.
type spanAttrs struct {
	request, attempt, resend, http bool

	dependency, operation, outcome, errorType string
	peer, method, template, status            string
	file, line                                string
	attempts, number                          int

	facts *Facts // of the last span with these attributes; nil when there was none
	on    circumstances
}

// circumstances are what a span's facts depend on besides its attributes.
type circumstances struct {
	name           string // of a request whose operation is not said
	client, failed bool   // of one that is neither a request nor an attempt
}

// lastSeen are the values of the last span, which the next one's often equal.
type lastSeen struct{ dependency, operation, outcome, errorType, file, line, site, siteFile, siteLine string }

// NewSpanBuilder returns a builder whose strings are interned in the registry.
func NewSpanBuilder(registry *Registry) *SpanBuilder {
	return &SpanBuilder{intern: NewValueInterner(registry).Intern, registry: registry, recalled: newRecalled()}
}

// Reset starts the next span.
func (b *SpanBuilder) Reset() { b.Span, b.attrs = Span{}, nil }

// Forget takes back what attributes and a status said of the span at hand.
func (b *SpanBuilder) Forget() { b.Failed, b.attrs = false, nil }

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

// Bearing is what an attribute's presence has to do with whether its span is
// kept. Those of several attributes are or-ed.
type Bearing uint8

// The bearings. A span without any but zero ones is not kept, whatever else it
// says, and its attributes need not be decoded.
const (
	Keeps         Bearing = 1 << iota // it may be
	KeepsOfClient                     // it may be if its kind is CLIENT
)

// BearingOf returns the bearing of the attribute. Those of the contract all
// count as if they decided: they come together, and one glance is enough.
func BearingOf(key []byte) Bearing {
	if len(key) < len(namespace) {
		return 0
	}
	switch key[0] { // most keys begin with neither
	case 'r':
		if string(key[:len(namespace)]) == namespace {
			return Keeps
		}
	case 'h':
		return bearingOfHTTP(key)
	}
	return 0
}

func bearingOfHTTP(key []byte) Bearing {
	switch string(key) {
	case "http.request.resend_count", "http.resend_count":
		return Keeps
	case "http.request.method", "http.method":
		return KeepsOfClient
	}
	return 0
}

// namespace is what the contract's attributes that decide begin with.
const namespace = "retry."

// Any reports whether a span of that kind may be kept.
func (b Bearing) Any(client bool) bool { return b&Keeps != 0 || client && b&KeepsOfClient != 0 }

// Attr takes one attribute; value is its text, unescaped.
func (b *SpanBuilder) Attr(key, value []byte) {
	switch b.attrs {
	case &b.own:
	case nil:
		b.own, b.attrs = spanAttrs{}, &b.own
	default: // they are those of other spans too
		b.own, b.attrs = *b.attrs, &b.own
	}
	a := &b.own
	a.facts = nil
	switch string(key) {
	case contract.AttrDependency:
		a.dependency = b.same(&b.last.dependency, value)
	case contract.AttrOperation:
		a.operation = b.same(&b.last.operation, value)
	case contract.AttrOutcome:
		a.request, a.outcome = true, b.same(&b.last.outcome, value)
	case contract.AttrAttempts:
		a.request, a.attempts = true, atoi(value)
	case contract.AttrAttempt:
		a.attempt, a.number = true, atoi(value)
	case contract.AttrErrorType:
		a.errorType = b.same(&b.last.errorType, value)
	case contract.AttrCodeFile:
		a.file = b.same(&b.last.file, value)
	case contract.AttrCodeLine:
		a.line = b.same(&b.last.line, value)
	case "http.request.method", "http.method":
		a.http, a.method = true, b.intern(value)
	case "http.request.resend_count", "http.resend_count":
		a.resend, a.number = true, atoi(value)
	case "http.response.status_code", "http.status_code":
		a.status = b.intern(value)
	case "server.address", "net.peer.name":
		a.peer = b.intern(value)
	case "url.template":
		a.template = b.intern(value)
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
	a := b.attrs
	on := circumstances{}
	switch {
	case a == nil:
		return false
	case a.attempt:
		if a.number == 1 && !b.Failed && a.errorType == "" {
			return false // the request span says all that this one could
		}
	case a.request:
		if a.operation == "" {
			on.name = b.intern(name)
		}
	case a.http && client || a.resend:
		on.client, on.failed = true, b.Failed
	default:
		return false
	}
	if a.facts == nil || a.on != on {
		a.facts, a.on = b.registry.share(b.factsOf(a, on)), on
	}
	b.Facts = a.facts
	return true
}

func (b *SpanBuilder) factsOf(a *spanAttrs, on circumstances) Facts {
	f := Facts{
		Dependency: a.dependency, Operation: a.operation, Outcome: a.outcome, ErrorType: a.errorType, Attempts: a.attempts, Attempt: a.number,
	}
	switch {
	case a.attempt:
		f.Role = Attempt
	case a.request:
		f.Role, f.CallSite = Request, b.callSite(a)
		if f.Operation == "" {
			f.Operation = on.name
		}
	default:
		f.Role, f.Dependency, f.Operation = HTTPClient, a.peer, a.method
		if a.template != "" {
			f.Operation = b.intern([]byte(a.method + " " + a.template))
		}
		if f.ErrorType == "" && on.failed {
			f.ErrorType = a.status
		}
	}
	return f
}

// callSite returns where a request was made, "" when the span does not say so.
func (b *SpanBuilder) callSite(a *spanAttrs) string {
	if a.file == "" || a.line == "" {
		return a.file
	}
	last := &b.last
	if a.file != last.siteFile || a.line != last.siteLine {
		b.text = append(append(append(b.text[:0], a.file...), ':'), a.line...)
		last.site, last.siteFile, last.siteLine = b.intern(b.text), a.file, a.line
	}
	return last.site
}

// atoi reads a number of attempts; what can't be one is not known, and 0.
func atoi(text []byte) int {
	n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || n < 0 || n > math.MaxInt32 {
		return 0
	}
	return n
}
