package otelretryhttp

import (
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/retrykit/retrykit/otelretry"
)

// otherName is the operation of requests whose own name is one too many.
const otherName = "_OTHER"

// maxOperations bounds the operations of a transport, as package otelretry
// bounds what telemetry tells apart.
const maxOperations = 64

// Transport sends HTTP requests as often as a policy allows; see the package's
// documentation. It is safe for concurrent use.
type Transport struct {
	settings
	base   http.RoundTripper
	policy *otelretry.Policy

	mu         sync.RWMutex
	operations map[operationKey]*otelretry.Operation
}

type operationKey struct {
	name     string
	harmless bool
}

var _ http.RoundTripper = (*Transport)(nil)

// NewTransport makes a transport that sends through base, http.DefaultTransport
// if nil, under a policy. It is an error when the policy is nil, an option is
// wrong, or base retries by itself, since the attempts of both would multiply.
func NewTransport(base http.RoundTripper, policy *otelretry.Policy, options ...Option) (*Transport, error) {
	t := &Transport{
		settings:   settings{name: methodName, keyHeader: DefaultKeyHeader, bodyBuffer: DefaultBodyBuffer},
		base:       base,
		policy:     policy,
		operations: make(map[operationKey]*otelretry.Operation),
	}
	if base == nil {
		t.base = http.DefaultTransport
	}
	for _, option := range options {
		if option == nil {
			t.wrong = append(t.wrong, errors.New("an option is nil"))
			continue
		}
		option(&t.settings)
	}
	if policy == nil {
		t.wrong = append(t.wrong, errors.New("the policy is nil: make one with otelretry.New"))
	}
	if _, retries := t.base.(*Transport); retries {
		t.wrong = append(t.wrong, errors.New("the base retries already, and the attempts would multiply: give its own base instead"))
	}
	if err := errors.Join(t.wrong...); err != nil {
		return nil, fmt.Errorf("otelretryhttp: %w", err)
	}
	return t, nil
}

// RoundTrip sends a request, again where the policy allows it, and returns the
// last response, or an [otelretry.Error] when there is none.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	s, err := t.newSend(r)
	if err != nil {
		return nil, err
	}
	resp, err := otelretry.Do(r.Context(), t.operation(t.name(r), s.harmless), s.attempt)
	if err == nil {
		return resp, nil
	}
	var failure *otelretry.Error
	if errors.As(err, &failure) && failure.Attempts == 0 && s.request.Body != nil {
		_ = s.request.Body.Close() // a RoundTripper closes the body whatever happens
	}
	if s.failed == nil {
		return nil, err
	}
	if r.Context().Err() != nil { // nobody waits for the response any more
		discard(s.failed)
		return nil, err
	}
	return s.failed, nil
}

// CloseIdleConnections closes the idle connections of the base, if it has any:
// http.Client.CloseIdleConnections calls it.
func (t *Transport) CloseIdleConnections() { closeIdle(t.base) }

// operation gives the handle for the requests of a name.
func (t *Transport) operation(name string, harmless bool) *otelretry.Operation {
	key := operationKey{name, harmless}
	t.mu.RLock()
	op := t.operations[key]
	full := len(t.operations) >= maxOperations
	t.mu.RUnlock()
	if op != nil {
		return op
	}
	if full && name != otherName {
		return t.operation(otherName, harmless)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if op := t.operations[key]; op != nil {
		return op
	}
	if harmless {
		op = t.policy.Operation(name, otelretry.Idempotent())
	} else {
		op = t.policy.Operation(name)
	}
	t.operations[key] = op
	return op
}
