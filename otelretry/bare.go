package otelretry

import (
	"context"
	"time"
)

// Most requests are over after their first attempt, and nearly all that a
// request keeps it keeps for a second one, or for those who are told. With
// WithBareFirstAttempt, the system's clock and nobody to tell, Do and Run make the first attempt
// with nothing to keep, and leave what follows a failure to the loop that
// makes the attempts of all other requests.

// bareAndQuiet reports whether the first attempts of an operation are made
// that way.
func (op *Operation) bareAndQuiet() bool {
	p := op.policy
	return p.bare && p.clock == nil && p.tracer == nil && op.telemetry == nil && p.observer == nil && p.breaker == nil
}

// bareFailed goes on after a first attempt that failed: only now there is
// something to remember.
func (op *Operation) bareFailed(ctx context.Context, start time.Duration, err error, call func(context.Context) error) error {
	p := op.policy
	v := p.judge(err)
	if (v.class == ClassPermanent || v.class == ClassUnknown) && ctx.Err() == nil {
		if p.budget != nil {
			p.budget.earn()
		}
		return err
	}
	r := &request{op: op, caller: ctx, ctx: ctx, start: start}
	r.newAttempt()
	r.failed(err)
	next := r.decide(err, v, false, p.now())
	if failure := r.follow(next, err, ""); failure != nil {
		return failure
	}
	return r.loop(call)
}

// doBareFailed is bareFailed for the function given to Do.
func doBareFailed[T any](ctx context.Context, op *Operation, start time.Duration, value T, err error,
	fn func(context.Context) (T, error)) (T, error) {
	err = op.bareFailed(ctx, start, err, func(ctx context.Context) (err error) {
		value, err = fn(ctx)
		return err
	})
	return value, err
}
