package otelretry

import (
	"context"
	"runtime"
	"slices"
	"time"
)

// hedgeType is the error.type of a retry that no failure caused.
const hedgeType = "hedge"

// DoHedged is [Do] with hedging (see WithHedging): while an attempt is
// running, it can start more of them, and the first answer, a success or a
// permanent failure, ends the request. The contexts of the other attempts end
// then, and a value that one of them still gives is dropped: what it holds must
// end with its context. A panic goes through to the caller, unless the request
// is over by then: it is told to telemetry only. fn is called concurrently, in
// goroutines that end when it returns, so it must be safe for that and the
// operation must be [Idempotent]; otherwise, or without WithHedging, DoHedged
// is Do.
func DoHedged[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	if ctx == nil || op == nil || fn == nil {
		panic(missing("DoHedged", ctx, op))
	}
	if op.policy.hedgeMax == 0 || !op.idempotent {
		return Do(ctx, op, fn)
	}
	return doHedged(ctx, op, fn)
}

func doHedged[T any](ctx context.Context, op *Operation, fn func(context.Context) (T, error)) (T, error) {
	var value T
	err := op.runHedged(ctx, func(ctx context.Context) (keep func(), err error) {
		got, err := fn(ctx)
		return func() { value = got }, err
	})
	return value, err
}

// answer is what an attempt of a hedged request came to.
type answer struct {
	running  *runningAttempt
	done     func(error) // the breaker's
	keep     func()      // makes the attempt's value the request's
	err      error
	verdict  verdict
	panicked any
	finished bool // false after a panic
}

// hedged is a request while several attempts can run.
type hedged struct {
	*request
	call     func(context.Context) (func(), error)
	answers  chan answer
	over     chan struct{} // closed when nobody takes answers any more
	running  []*runningAttempt
	hedges   int
	launched time.Duration // when the last attempt started
}

func (op *Operation) runHedged(ctx context.Context, call func(context.Context) (func(), error)) error {
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
	h := &hedged{request: r, call: call, answers: make(chan answer), over: make(chan struct{})}
	defer h.cancel()
	defer close(h.over)
	return h.loop()
}

// loop starts attempts, and takes their answers, until the request is over.
func (h *hedged) loop() error {
	if refused := h.launch(); refused != nil {
		return h.refused(refused)
	}
	for {
		a, hedge := h.next()
		if hedge {
			h.hedge()
			continue
		}
		over, err := h.take(a)
		if over {
			return err
		}
	}
}

// next waits for an answer, or for the time to hedge.
func (h *hedged) next() (a answer, hedge bool) {
	p := h.op.policy
	if h.hedges >= p.hedgeMax || h.count >= p.maxAttempts {
		return <-h.answers, false
	}
	due := make(chan struct{})
	ran := max(p.now()-h.launched, 0) // clocks can go back
	stop := p.afterFunc(p.hedgeAfter-ran, func() { close(due) })
	defer stop()
	select {
	case a := <-h.answers:
		return a, false
	case <-due:
		return answer{}, true
	}
}

// hedge starts one more attempt, if breaker and budget grant it.
func (h *hedged) hedge() {
	p := h.op.policy
	if h.caller.Err() != nil || p.deadline > 0 && p.now()-h.start >= p.deadline {
		h.hedges = p.hedgeMax // the request is as good as over: it only waits for the attempts that run
		return
	}
	h.hedges++
	if p.budget != nil && !p.budget.spend() {
		if h.measured {
			h.op.telemetry.budgetRejected(h.request)
		}
		return
	}
	h.cause = hedgeType
	if h.launch() != nil {
		if p.budget != nil {
			p.budget.refund()
		}
		return
	}
	if h.firstType == "" {
		h.firstType = hedgeType
	}
}

// launch starts an attempt, or gives the breaker's refusal.
func (h *hedged) launch() error {
	var done func(error)
	if breaker := h.op.policy.breaker; breaker != nil {
		var refused error
		if done, refused = breaker.Allow(); refused != nil {
			return refused
		}
	}
	running := &runningAttempt{attempt: h.newAttempt(), delay: h.lastWait}
	running.context() // so that cancel can end it
	running.ctx = running.attempt
	if h.measured && h.count > 1 {
		h.op.telemetry.retryStarted(h.ctx, h.cause)
	}
	h.lastWait = 0 // a hedge follows at once
	if h.told {
		h.startAttempt(running)
	}
	h.running = append(h.running, running)
	h.launched = h.op.policy.now()
	go h.attempt(running, done)
	return nil
}

// attempt runs the function and tells the loop; once nobody listens any more,
// it ends the attempt by itself.
func (h *hedged) attempt(running *runningAttempt, done func(error)) {
	a := answer{running: running, done: done}
	defer func() {
		if !a.finished {
			a.panicked, a.err = recover(), errPanicked
		}
		running.end()
		if done != nil {
			done(a.err)
		}
		select {
		case h.answers <- a:
		case <-h.over:
			h.abandon(a)
		}
	}()
	if a.keep, a.err = h.call(running.ctx); a.err != nil {
		a.verdict = h.op.policy.judge(a.err)
	}
	a.finished = true
}

// cancel ends the contexts of the attempts that run.
func (h *hedged) cancel() {
	for _, running := range h.running {
		running.context().cancel()
	}
}

// abandon ends an attempt whose request is over.
func (h *hedged) abandon(a answer) {
	if !h.told {
		return
	}
	failed := ""
	switch {
	case !a.finished:
		failed = panicType
	case a.err != nil:
		failed = h.typeOf(a.err, false)
	}
	h.endAttempt(a.running, a.err, failed, false)
}

// take takes an answer, and reports whether the request is over.
func (h *hedged) take(a answer) (over bool, err error) {
	p := h.op.policy
	h.running = slices.DeleteFunc(h.running, func(r *runningAttempt) bool { return r == a.running })
	if a.err == nil {
		a.keep()
		h.cancel() // the others: the winner's context may be held
		h.succeeded(a.running)
		return true, nil
	}
	now := p.now()
	h.ended(a.running.attempt, now)
	if !a.finished {
		h.lastType = panicType
		if h.told {
			h.endAttempt(a.running, a.err, panicType, false)
		}
		h.cancel()
		h.finish(NotRetryable, a.err, nil)
		if a.panicked == nil { // it called runtime.Goexit, as t.FailNow does
			runtime.Goexit()
		}
		panic(a.panicked)
	}
	a.keep()
	h.failed(a.err)
	v := a.verdict
	expired := a.running.expired(now)
	failed := h.typeOf(a.err, a.running.byTimeout && expired)
	h.lastType = failed
	if len(h.running) > 0 && h.mayRepeat(v.class) && h.caller.Err() == nil {
		if h.told {
			h.endAttempt(a.running, a.err, failed, true)
		}
		if p.budget != nil {
			p.budget.failure()
		}
		return false, nil // another attempt can still answer
	}
	next := h.decide(a.err, v, expired, now)
	if h.told {
		h.endAttempt(a.running, a.err, failed, !next.stop)
	}
	if failure := h.follow(next, a.err, failed); failure != nil {
		return true, failure
	}
	h.cause = failed
	if refused := h.launch(); refused != nil {
		return true, h.refused(refused)
	}
	return false, nil
}

// afterFunc calls f after d.
func (p *Policy) afterFunc(d time.Duration, f func()) (stop func() bool) {
	if p.clock != nil {
		return p.clock.AfterFunc(d, f)
	}
	return time.AfterFunc(d, f).Stop
}
