package otelretrygrpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"google.golang.org/grpc"

	"github.com/retrykit/retrykit/otelretry"
)

// otherName is the operation of methods past maxOperations.
const otherName = "_OTHER"

// maxOperations bounds the operations of an interceptor, as package otelretry
// bounds what telemetry tells apart.
const maxOperations = 64

// Interceptor makes gRPC calls under a policy; see the package's
// documentation. It is safe for concurrent use, by many connections.
type Interceptor struct {
	settings
	policy *otelretry.Policy

	mu         sync.RWMutex
	operations map[string]*otelretry.Operation
	warned     map[string]bool // methods that a service config retries
}

// New makes an interceptor for a policy. It is an error when the policy is nil
// or an option is wrong.
func New(policy *otelretry.Policy, options ...Option) (*Interceptor, error) {
	i := &Interceptor{
		settings:   settings{idempotent: make(map[string]bool)},
		policy:     policy,
		operations: make(map[string]*otelretry.Operation),
		warned:     make(map[string]bool),
	}
	for _, option := range options {
		if option == nil {
			i.wrong = append(i.wrong, errors.New("an option is nil"))
			continue
		}
		option(&i.settings)
	}
	if policy == nil {
		i.wrong = append(i.wrong, errors.New("the policy is nil: make one with otelretry.New"))
	}
	if err := errors.Join(i.wrong...); err != nil {
		return nil, fmt.Errorf("otelretrygrpc: %w", err)
	}
	return i, nil
}

// operation gives the handle for a method, whose name in telemetry is that of
// the RPC conventions: package.Service/Method.
func (i *Interceptor) operation(method string) *otelretry.Operation {
	i.mu.RLock()
	op, full := i.operations[method], len(i.operations) >= maxOperations
	i.mu.RUnlock()
	if op != nil {
		return op
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if op := i.operations[method]; op != nil {
		return op
	}
	name := strings.TrimPrefix(method, "/")
	var options []otelretry.OperationOption
	if i.isIdempotent(method) {
		options = append(options, otelretry.Idempotent())
	}
	if full { // rare: not remembered, so that the table stays bounded
		return i.policy.Operation(otherName, options...)
	}
	op = i.policy.Operation(name, options...)
	i.operations[method] = op
	return op
}

// stepsAside reports whether gRPC retries this method by itself, and logs it
// the first time.
func (i *Interceptor) stepsAside(ctx context.Context, cc *grpc.ClientConn, method string) bool {
	if i.configOff || cc == nil {
		return false
	}
	config := cc.GetMethodConfig(method)
	if config.RetryPolicy == nil {
		return false
	}
	i.mu.Lock()
	first := !i.warned[method] && len(i.warned) < maxOperations
	if first {
		i.warned[method] = true
	}
	i.mu.Unlock()
	if first {
		slog.WarnContext(ctx, "otelretrygrpc: the service config retries this method, so it is called once; use grpc.WithDisableRetry and WithServiceConfigRetriesOff, or take the retryPolicy out",
			"rpc.method", method, "max_attempts", config.RetryPolicy.MaxAttempts)
	}
	return true
}
