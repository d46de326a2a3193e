package otelretry

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// inlineAttempts is how many attempts of a request have their context in the
// request's own memory.
const inlineAttempts = 2

// request is one call of Do while it runs: one allocation, which also holds
// the contexts of the first attempts and the error of a failure.
type request struct {
	op     *Operation
	caller context.Context // as Do got it
	ctx    context.Context // the request span's

	start       time.Duration // on the policy's clock
	count       int           // attempts started
	firstOver   bool          // the first attempt ended; hedges can answer before
	firstEnded  time.Duration // when it did
	waited      time.Duration // all waits
	lastWait    time.Duration // the wait before the current attempt
	lastBackoff time.Duration // the backoff's share of it
	firstType   string        // error type of what caused the first retry
	last        error
	cause       string // error type of what caused the next retry
	previous    error  // the failure before the last
	lastType    string
	history     []error
	why         string // the failure is not retryable

	key      atomic.Pointer[string]
	replayed atomic.Bool
	told     bool // to spans, metrics or an observer
	measured bool // metrics are wanted
	span     trace.Span
	site     *site // where the request was made; nil when it isn't traced
	waiter   waiter

	attempts [inlineAttempts]attempt
	failure  Error
}

// run makes one request.
func (op *Operation) run(ctx context.Context, call func(context.Context) error) error {
	p := op.policy
	r := &request{op: op, caller: ctx, ctx: ctx, start: p.now()}
	if p.told {
		r.begin()
	}
	if err := ctx.Err(); err != nil {
		return r.finish(endOf(err), err, context.Cause(ctx))
	}
	if p.budget != nil {
		p.budget.request()
	}
	return r.loop(call)
}

// loop makes attempts until one of them ends the request.
func (r *request) loop(call func(context.Context) error) error {
	p := r.op.policy
	for {
		var done func(error)
		if p.breaker != nil {
			var refused error
			if done, refused = p.breaker.Allow(); refused != nil {
				return r.refused(refused)
			}
		}
		running := runningAttempt{attempt: r.newAttempt(), delay: r.lastWait}
		if r.measured && r.count > 1 {
			r.op.telemetry.retryStarted(r.ctx, r.cause)
		}
		running.ctx = running.attempt
		if p.bare && r.count == 1 {
			running.ctx = r.ctx
		}
		if r.told {
			r.startAttempt(&running)
		}
		v, err := r.call(call, &running, done)
		if err == nil {
			r.succeeded(&running)
			return nil
		}
		now := p.now()
		r.ended(running.attempt, now)
		r.failed(err)
		next := r.decide(err, v, running.expired(now), now)
		if r.told {
			r.lastType = r.typeOf(err, running.byTimeout && running.expired(now))
			r.endAttempt(&running, err, r.lastType, !next.stop)
		}
		if failure := r.follow(next, err, r.lastType); failure != nil {
			return failure
		}
	}
}

// call runs the function for one attempt, and judges its failure.
func (r *request) call(call func(context.Context) error, running *runningAttempt, done func(error)) (v verdict, err error) {
	returned := false
	defer func() {
		running.end()
		if done != nil && returned {
			done(err)
		}
		if !returned { // a panic, or runtime.Goexit, which goes on
			r.panicked(running, done)
		}
	}()
	if err = call(running.ctx); err != nil {
		v = r.op.policy.judge(err) // here, since a classifier can panic too
	}
	returned = true
	return v, err
}

// panicked ends a request whose function doesn't return.
func (r *request) panicked(running *runningAttempt, done func(error)) {
	if done != nil {
		done(errPanicked)
	}
	r.ended(running.attempt, r.op.policy.now())
	r.lastType = panicType
	if r.told {
		r.endAttempt(running, errPanicked, panicType, false)
	}
	r.finish(NotRetryable, errPanicked, nil)
}

var errPanicked = errors.New("the function panicked")

// newAttempt makes the context of the next attempt.
func (r *request) newAttempt() *attempt {
	p := r.op.policy
	var a *attempt
	if r.count < inlineAttempts {
		a = &r.attempts[r.count]
	} else {
		a = new(attempt)
	}
	r.count++
	a.Context, a.req, a.number = r.ctx, r, int32(min(r.count, math.MaxInt32))
	if p.bare && r.count == 1 {
		return a // it has the caller's context and no limit of its own
	}
	if p.deadline > 0 {
		a.limit = addSaturating(r.start, p.deadline)
	}
	if p.attemptTimeout > 0 {
		if limit := addSaturating(p.now(), p.attemptTimeout); a.limit == 0 || limit < a.limit {
			a.limit, a.byTimeout = limit, true
		}
	}
	return a
}

// ended keeps when the first attempt ended.
func (r *request) ended(a *attempt, now time.Duration) {
	if a.number == 1 {
		r.firstOver, r.firstEnded = true, now
	}
}

// failed keeps the error of an attempt.
func (r *request) failed(err error) {
	r.previous, r.last = r.last, err
	if r.op.policy.history {
		r.history = append(r.history, err)
	}
}

// step is what follows a failed attempt.
type step struct {
	stop    bool
	outcome Outcome       // when the request stops
	wait    time.Duration // when it goes on
}

// decide says what follows a failed attempt. expired tells that the attempt
// had used up its own time.
func (r *request) decide(err error, v verdict, expired bool, now time.Duration) step {
	p := r.op.policy
	if v.class == ClassUnknown && expired {
		v.class = ClassAmbiguous // however the function put it
	}
	outOfTime := p.deadline > 0 && now-r.start >= p.deadline
	stopped := r.caller.Err()
	if stopped != nil && v.class != ClassPermanent {
		return step{stop: true, outcome: endOf(stopped)}
	}
	if !r.mayRepeat(v.class) && !(outOfTime && v.class == ClassAmbiguous) {
		if p.budget != nil {
			p.budget.earn()
		}
		r.why = whyNot(v.class)
		return step{stop: true, outcome: NotRetryable}
	}
	if p.budget != nil {
		p.budget.failure()
	}
	if outOfTime {
		return step{stop: true, outcome: DeadlineExceeded}
	}
	if r.count >= p.maxAttempts {
		return step{stop: true, outcome: AttemptsExhausted}
	}
	wait, pushback := r.nextWait(v.hint)
	if pushback && (v.hint > p.maxRetryAfter || r.tooLate(wait, now)) {
		return step{stop: true, outcome: Pushback}
	}
	if r.tooLate(wait, now) {
		return step{stop: true, outcome: DeadlineExceeded}
	}
	if p.budget != nil && !p.budget.spend() {
		return step{stop: true, outcome: BudgetRejected}
	}
	return step{wait: wait}
}

// mayRepeat reports whether a failure of this class allows another attempt.
func (r *request) mayRepeat(class Class) bool {
	switch class {
	case ClassTransient:
		return true
	case ClassAmbiguous:
		return r.op.idempotent || r.keyed()
	}
	return false
}

// nextWait gives the wait before the next attempt, and whether it is the
// server's.
func (r *request) nextWait(hint time.Duration) (wait time.Duration, pushback bool) {
	p := r.op.policy
	wait = p.backoff.Delay(r.count, r.lastBackoff, p.random)
	r.lastBackoff = wait
	if hint <= wait {
		return wait, false
	}
	// Clients that were given the same hint would come back together.
	return addSaturating(hint, p.backoff.spread(hint, p.random)), true
}

// tooLate reports whether a wait would end past the policy's or the caller's
// deadline.
func (r *request) tooLate(wait, now time.Duration) bool {
	p := r.op.policy
	if p.deadline > 0 && wait >= p.deadline-max(now-r.start, 0) { // clocks can go back
		return true
	}
	callers, ok := r.caller.Deadline()
	return ok && wait >= callers.Sub(p.timeOfDay())
}

// follow takes the next step: it waits and returns nil, or ends the request
// and returns its error.
func (r *request) follow(next step, err error, failed string) error {
	p := r.op.policy
	if next.stop {
		if next.outcome == BudgetRejected && r.measured {
			r.op.telemetry.budgetRejected(r)
		}
		return r.finish(next.outcome, err, context.Cause(r.caller))
	}
	if r.firstType == "" {
		r.firstType = failed
	}
	r.scheduled(err, failed, next.wait)
	if stopped := r.waiter.wait(r.caller, p, next.wait); stopped != nil {
		if p.budget != nil {
			p.budget.refund()
		}
		return r.finish(endOf(stopped), err, context.Cause(r.caller))
	}
	if late := p.now() - r.start; p.deadline > 0 && late >= p.deadline {
		if p.budget != nil {
			p.budget.refund()
		}
		return r.finish(DeadlineExceeded, err, nil) // the wait took longer than it should, or the clock jumped
	}
	r.waited = addSaturating(r.waited, next.wait)
	r.lastWait = next.wait
	r.cause = failed
	return nil
}

// refused ends a request that the breaker didn't let through.
func (r *request) refused(by error) error {
	if budget := r.op.policy.budget; budget != nil && r.count > 0 {
		budget.refund() // the retry that was paid for isn't made
	}
	if r.last == nil {
		r.lastType = r.typeOf(by, false)
		return r.finish(BreakerOpen, by, by)
	}
	return r.finish(BreakerOpen, r.last, by)
}

// endOf gives the outcome of a request whose caller's context is done.
func endOf(err error) Outcome {
	if errors.Is(err, context.DeadlineExceeded) {
		return DeadlineExceeded
	}
	return Canceled
}

// finish ends a request that failed and makes the error to return. stopper is
// what ended the caller's context, or the breaker's refusal.
func (r *request) finish(outcome Outcome, err, stopper error) error {
	p := r.op.policy
	now := p.now()
	if stopper != nil && r.previous != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		err = r.previous // the dependency's last word, and not the echo of the caller's
	}
	if len(r.history) > 1 {
		err = errors.Join(r.history...)
	}
	if r.told && r.lastType == "" {
		r.lastType = r.typeOf(err, false)
	}
	r.failure = Error{
		Dependency: p.dependency, Operation: r.op.name, Reason: outcome,
		Attempts: r.count, Elapsed: max(now-r.start, 0), Err: err, cause: stopper, why: r.why,
	}
	if r.told {
		r.report(outcome, now)
	}
	if p.logs && outcome.gaveUp() {
		r.logGivingUp(outcome)
	}
	r.waiter.release(p)
	return r.returned(outcome)
}

// returned is the error that the caller gets.
func (r *request) returned(outcome Outcome) error {
	switch {
	case outcome.Success():
		return nil
	case outcome == NotRetryable && r.count == 1 && r.op.policy.bare:
		return r.failure.Err // as it is
	}
	return &r.failure
}

// succeeded ends a request that an attempt brought to success.
func (r *request) succeeded(last *runningAttempt) {
	p := r.op.policy
	if p.budget != nil {
		p.budget.earn()
	}
	if r.waiter.timer != nil {
		r.waiter.release(p)
	}
	if !r.told {
		return
	}
	now := p.now()
	r.ended(last.attempt, now)
	outcome := RetriedSuccess
	if r.count == 1 {
		outcome = FirstAttemptSuccess
	}
	r.endAttempt(last, nil, "", false)
	r.report(outcome, now)
}
