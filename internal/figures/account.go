package figures

import (
	"maps"
	"slices"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/summary"
)

// account is what was counted about one operation, from metrics or from spans
// alone. A map that is nil, or a flag that is false, is not known.
type account struct {
	outcomes        map[string]float64 // contract outcomes, or OutcomeSuccess and OutcomeFailure
	attempts        float64
	hasAttempts     bool
	retries         map[string]float64 // by class
	retried, saved  map[string]float64 // by class
	requestAttempts distribution
	duration        distribution
	added           distribution
	rejections      float64
	hasRejections   bool
	replays         float64
	hasReplays      bool

	retryTotal    float64 // retries of whatever class, of dialects that count them so
	hasRetryTotal bool
	partial       bool // outcomes that did not occur are not known to be 0

	requestCount    float64 // requests counted without an outcome
	hasRequestCount bool

	refused map[dialect.Role]bool

	// once it is settled:
	hasAdded bool // added is complete: it covers every retried request
}

func addTo(m *map[string]float64, key string, n float64) {
	if *m == nil {
		*m = map[string]float64{}
	}
	(*m)[key] += n
}

func sum(m map[string]float64) float64 {
	var total float64
	for _, key := range slices.Sorted(maps.Keys(m)) { // in order, so that rounding is the same every time
		total += m[key]
	}
	return total
}

// requests returns the number of requests; false when it is not known.
func (a *account) requests() (float64, bool) {
	switch {
	case a.refused[dialect.Requests]:
		return 0, false
	case a.outcomes != nil:
		return sum(a.outcomes) + a.requestCount, true
	case a.hasRequestCount:
		return a.requestCount, true
	case a.requestAttempts.parts > 0 && !a.refused[dialect.RequestAttempts]:
		return a.requestAttempts.count, true
	case a.duration.parts > 0 && !a.refused[dialect.RequestDuration]:
		return a.duration.count, true
	}
	return 0, false
}

func (a *account) attemptCount() (float64, bool) {
	switch {
	case a.refused[dialect.Attempts]:
		return 0, false
	case a.hasAttempts:
		return a.attempts, true
	case a.requestAttempts.parts > 0 && a.requestAttempts.hasSum && !a.refused[dialect.RequestAttempts]:
		return a.requestAttempts.sum, true
	case a.hasRetryTotal && !a.refused[dialect.RetryTotal]:
		if n, ok := a.requests(); ok {
			return n + a.retryTotal, true
		}
	}
	return 0, false
}

// classify completes the retries by class with those whose class was not
// counted.
func (a *account) classify() {
	if a.refused[dialect.RetryTotal] {
		a.retries, a.hasRetryTotal = nil, false
	}
	if !a.hasRetryTotal || a.retries == nil {
		return
	}
	if rest := a.retryTotal - sum(a.retries); rest > 0.5 {
		a.retries[UnknownClass] += rest
	}
}

// settle turns what is absent into what is known to be none: an operation
// whose attempts are its requests has no retries, and one without retries has
// added no latency.
func (a *account) settle() {
	a.classify()
	for outcome, n := range a.outcomes {
		// What is the rest after taking away may have been counted later than
		// what was taken away.
		a.outcomes[outcome] = max(n, 0)
	}
	if a.retries == nil && !a.refused[dialect.Retries] {
		requests, ok1 := a.requests()
		attempts, ok2 := a.attemptCount()
		if ok1 && ok2 && attempts == requests {
			a.retries = map[string]float64{}
		}
	}
	none := a.retries != nil && sum(a.retries) == 0
	if a.retried == nil && none && !a.refused[dialect.Retried] {
		a.retried, a.saved = map[string]float64{}, map[string]float64{}
	}
	if a.retried != nil && a.saved == nil {
		a.saved = map[string]float64{}
	}
	a.hasAdded = !a.refused[dialect.AddedDuration] && (a.added.parts > 0 || none)
	if a.hasAdded && a.added.parts == 0 {
		a.added = distribution{parts: 1, hasSum: true}
	}
	for role := range a.refused {
		switch role {
		case dialect.Retries:
			a.retries = nil
		case dialect.Retried:
			a.retried, a.saved = nil, nil
		case dialect.RequestDuration:
			a.duration = distribution{}
		case dialect.RequestAttempts:
			a.requestAttempts = distribution{}
		case dialect.Requests:
			a.outcomes = nil
		case dialect.BudgetRejections:
			a.hasRejections = false
		case dialect.Replays:
			a.hasReplays = false
		}
	}
}

// figures computes the figures of a settled account.
func (a *account) figures() summary.Figures {
	var f summary.Figures
	requests, hasRequests := a.requests()
	if hasRequests {
		f.Requests = &requests
	}
	if attempts, ok := a.attemptCount(); ok {
		f.Attempts = &attempts
		if hasRequests && requests > 0 {
			f.AttemptsPerRequest = ptr(attempts / requests)
		}
	}
	if h := &a.requestAttempts; h.count > 0 && h.hasSum {
		f.AttemptsPerRequest = ptr(h.sum / h.count)
	}
	a.successes(&f)
	if a.hasRetryTotal {
		f.RetryTotal = &a.retryTotal
	}
	f.RetriesByClass = a.retries
	if a.retried != nil {
		f.Retried, f.Saved = a.retried, a.saved
		f.RetrySuccessByClass = map[string]float64{}
		for class, n := range a.retried {
			if n > 0 {
				f.RetrySuccessByClass[class] = a.saved[class] / n
			}
		}
	}
	if a.hasAdded && hasRequests && requests > 0 {
		f.AddedLatency = a.added.result(requests)
	}
	f.RequestDuration = a.duration.result(0)
	if a.hasRejections {
		f.BudgetRejections = &a.rejections
	}
	if a.hasReplays {
		f.Replays = &a.replays
	}
	return f
}

// successes fills in what follows from the outcomes.
func (a *account) successes(f *summary.Figures) {
	if a.outcomes == nil || a.requestCount > 0 { // some have no outcome
		return
	}
	f.Outcomes = map[string]float64{}
	for outcome, n := range a.outcomes {
		f.Outcomes[outcome] = n
	}
	_, onlySuccess := a.outcomes[dialect.OutcomeSuccess]
	_, onlyFailure := a.outcomes[dialect.OutcomeFailure]
	eligible := sum(a.outcomes) - a.outcomes[contract.Canceled]
	first, retried := a.outcomes[contract.FirstAttemptSuccess], a.outcomes[contract.RetriedSuccess]
	if eligible > 0 {
		f.EventualSuccess = ptr((first + retried + a.outcomes[dialect.OutcomeSuccess]) / eligible)
	}
	if !onlySuccess {
		if eligible > 0 {
			f.FirstAttemptSuccess = ptr(first / eligible)
			lo, hi := Wilson(first, eligible)
			f.FirstAttemptRange = &[2]float64{lo, hi}
		}
	}
	if !onlySuccess && !onlyFailure && !a.partial {
		f.DeadlineExhaustions = ptr(a.outcomes[contract.DeadlineExceeded])
		if !a.hasRejections {
			f.BudgetRejections = ptr(a.outcomes[contract.BudgetRejected])
		}
	}
}

// total merges settled accounts: a figure that one of them does not know, the
// total does not know either.
func total(accounts []*account) *account {
	t := &account{hasAttempts: true, hasReplays: true, hasAdded: true, outcomes: map[string]float64{},
		retries: map[string]float64{}, retried: map[string]float64{}, saved: map[string]float64{}, hasRequestCount: true, hasRetryTotal: true}
	counted := 0
	for _, a := range accounts {
		if _, ok := a.requests(); !ok && a.hasRejections && !a.hasAttempts {
			// The budgets of a dependency have no operation.
			t.rejections += a.rejections
			t.hasRejections = true
			continue
		}
		counted++
		requests, ok := a.requests()
		t.requestCount += requests
		t.hasRequestCount = t.hasRequestCount && ok
		if a.outcomes == nil || a.requestCount > 0 {
			t.outcomes = nil
		} else {
			merge(&t.outcomes, a.outcomes)
		}
		merge(&t.retries, a.retries)
		merge(&t.retried, a.retried)
		merge(&t.saved, a.saved)
		t.partial = t.partial || a.partial
		t.retryTotal += a.retryTotal
		t.hasRetryTotal = t.hasRetryTotal && a.hasRetryTotal
		attempts, ok := a.attemptCount()
		t.attempts += attempts
		t.hasAttempts = t.hasAttempts && ok
		t.replays += a.replays
		t.hasReplays = t.hasReplays && a.hasReplays
		t.hasAdded = t.hasAdded && a.hasAdded
		if a.hasRejections {
			t.rejections += a.rejections
			t.hasRejections = true
		}
		t.requestAttempts.add(&a.requestAttempts)
		t.duration.add(&a.duration)
		t.added.add(&a.added)
	}
	if counted == 0 {
		return &account{rejections: t.rejections, hasRejections: t.hasRejections}
	}
	if !t.hasRequestCount {
		t.outcomes = nil
		t.refused = map[dialect.Role]bool{dialect.Requests: true}
	}
	if t.outcomes != nil {
		t.requestCount, t.hasRequestCount = 0, false // they are the outcomes' sum
	}
	for _, a := range accounts {
		if n, ok := a.requests(); ok && n > 0 && a.requestAttempts.parts == 0 {
			t.requestAttempts = distribution{}
		}
		if n, ok := a.requests(); ok && n > 0 && a.duration.parts == 0 {
			t.duration = distribution{}
		}
	}
	return t
}

func merge(into *map[string]float64, from map[string]float64) {
	if from == nil || *into == nil {
		*into = nil
		return
	}
	for key, n := range from {
		(*into)[key] += n
	}
}
