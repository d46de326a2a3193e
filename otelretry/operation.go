package otelretry

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Operation is one kind of request to a dependency: a handle that holds what
// all its requests share, so that a request makes nothing anew. Make it once
// with [Policy.Operation]; it is safe for concurrent use.
type Operation struct {
	policy     *Policy
	name       string
	idempotent bool
	bare       bool // see bare.go

	telemetry  *operationMetrics // nil without a meter
	spanName   string
	childName  string
	childStart []trace.SpanStartOption
	sites      sites
}

// OperationOption is a setting of an [Operation].
type OperationOption func(*Operation)

// Idempotent says that repeating the operation does no harm, as for a read,
// a PUT or a DELETE: ambiguous failures, such as a timeout, are retried,
// WithHedging applies.
func Idempotent() OperationOption {
	return func(op *Operation) { op.idempotent = true }
}

// Operation makes the handle for one kind of request. The name goes into
// telemetry and errors: keep it static and low in cardinality, such as
// "charge", never a URL or an identifier. Telemetry tells at most 64
// operations of a process apart; those made later, and one without a name,
// are counted under "_OTHER". It panics when the policy is nil or wasn't made
// by [New], whose error then went unchecked.
func (p *Policy) Operation(name string, options ...OperationOption) *Operation {
	if p == nil || p.maxAttempts == 0 {
		panic("otelretry: Operation " + strconv.Quote(name) + " of a policy that New didn't make: check the error of New")
	}
	if name == "" {
		name = other
	}
	op := &Operation{policy: p, name: name}
	for _, option := range options {
		if option != nil {
			option(op)
		}
	}
	if p.tracer != nil {
		op.prepareSpans()
	}
	if p.meter != nil {
		op.telemetry = p.meter.operation(p.dependency, name)
	}
	op.bare = op.bareAndQuiet()
	return op
}

// Name gives the operation's name.
func (op *Operation) Name() string { return op.name }

// Policy gives the policy that the operation was made from.
func (op *Operation) Policy() *Policy { return op.policy }

// Do makes one request: it calls fn until it succeeds, fails for good, or the
// policy gives up, and returns the last value and an [Error]. fn gets the
// attempt's context, which carries the attempt's span, its time limit, the
// [AttemptNumber] and the [IdempotencyKey]: pass it on. A panic of fn goes
// through to the caller. Do panics when ctx, op or fn is nil.
func Do[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	if ctx == nil || op == nil || fn == nil {
		panic(missing("Do", ctx, op))
	}
	if !op.bare {
		return do(ctx, op, fn)
	}
	if ctx.Err() != nil {
		return do(ctx, op, fn)
	}
	start, budget := time.Since(processStart), op.policy.budget
	if budget != nil {
		budget.request()
	}
	value, err := fn(ctx)
	if err != nil {
		return doBareFailed(ctx, op, start, value, err, fn)
	}
	if budget != nil {
		budget.earn()
	}
	return value, nil
}

func do[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	var value T
	err := op.run(ctx, func(ctx context.Context) (err error) {
		value, err = fn(ctx)
		return err
	})
	return value, err
}

// Run is [Do] for a function that gives an error only.
func (op *Operation) Run(ctx context.Context, fn func(context.Context) error) error {
	if ctx == nil || op == nil || fn == nil {
		panic(missing("Run", ctx, op))
	}
	if !op.bare {
		return op.do(ctx, fn)
	}
	if ctx.Err() != nil {
		return op.do(ctx, fn)
	}
	start, budget := time.Since(processStart), op.policy.budget
	if budget != nil {
		budget.request()
	}
	if err := fn(ctx); err != nil {
		return op.bareFailed(ctx, start, err, fn)
	}
	if budget != nil {
		budget.earn()
	}
	return nil
}

// missing says what a caller left out.
func missing(function string, ctx context.Context, op *Operation) string {
	what := "the function"
	switch {
	case op == nil:
		what = "the operation"
	case ctx == nil:
		what = "the context"
	}
	return "otelretry: " + function + ": " + what + " is nil"
}

// do is as deep a frame as the function do is: see Operation.site.
func (op *Operation) do(ctx context.Context, fn func(context.Context) error) error {
	return op.run(ctx, fn)
}
