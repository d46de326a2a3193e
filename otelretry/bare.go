package otelretry

import (
	"context"
	"time"
)

// startBare starts a request whose first attempt runs on the caller's context
// (see WithBareFirstAttempt), or says why it can't.
func (op *Operation) startBare(ctx context.Context) (start time.Duration, err error) {
	p := op.policy
	if p.clock == nil {
		start = time.Since(processStart) // p.now(), without the call
	} else {
		start = p.now()
	}
	if err := ctx.Err(); err != nil {
		r := &request{op: op, caller: ctx, ctx: ctx, start: start}
		return start, r.finish(endOf(err), err, context.Cause(ctx))
	}
	if p.budget != nil {
		p.budget.request()
	}
	return start, nil
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
	r := &request{op: op, caller: ctx, ctx: ctx, start: start, count: 1}
	r.attempts[0] = attempt{Context: ctx, req: r, number: 1}
	r.failed(err)
	next := r.decide(err, v, false, p.now())
	if next.stop && next.outcome == NotRetryable {
		return err
	}
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
