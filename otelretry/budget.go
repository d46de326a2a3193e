package otelretry

import (
	"fmt"
	"sync"
)

// Budget bounds the retries to one dependency as a share of the traffic to
// it, so that an outage isn't made worse. Make one per dependency and process
// and give it to all policies for that dependency with [WithBudget]; one per
// call would bound nothing. It is safe for concurrent use.
//
// A budget is a bucket of tokens. It never starves for ever: first attempts
// are never refused, and they fill the bucket again.
type Budget struct {
	name       string
	text       string
	max        float64 // most tokens
	floor      float64 // a retry needs more than this
	perRequest float64 // earned by a request when it starts
	perSuccess float64 // earned by an attempt that isn't to be retried
	perFailure float64 // lost by an attempt that is to be retried
	perRetry   float64 // paid by a retry

	mu     sync.Mutex
	tokens float64
}

// roundings is more than what adding up shares rounds away, and so little that
// it makes a retry of its own once in a thousand million.
const roundings = 1e-9

// NewShareBudget makes a budget that grants retries as a share of requests:
// 0.1 is 10 %, so that there are never more than 1.1 attempts per request on
// average. Each request earns share of a token and each retry costs one; the
// bucket starts empty and holds at most reserve tokens, which is how many
// retries a burst of failures can have at once. share must be more than 0 and
// at most 1, reserve at least 1.
func NewShareBudget(name string, share float64, reserve int) (*Budget, error) {
	if name == "" {
		return nil, fmt.Errorf("otelretry: NewShareBudget: the budget needs a name, such as that of its dependency")
	}
	if !(share > 0 && share <= 1) {
		return nil, fmt.Errorf("otelretry: NewShareBudget %q: share %v must be more than 0 and at most 1", name, share)
	}
	if reserve < 1 {
		return nil, fmt.Errorf("otelretry: NewShareBudget %q: reserve %d must be at least 1, or no retry can ever be paid", name, reserve)
	}
	return &Budget{
		name: name, text: fmt.Sprintf("%s (%v%% of requests, reserve %d)", name, share*100, reserve),
		max: float64(reserve), floor: 1 - roundings, perRequest: share, perRetry: 1,
	}, nil
}

// NewThrottlingBudget makes a budget that works as gRPC's retry throttling
// does (gRFC A6): the bucket starts full with maxTokens, an attempt that
// failed and may be retried costs 1 token, one that succeeded or failed for
// good earns tokenRatio, and retries are allowed while there is more than
// half. gRPC's usual values are 10 and 0.1. maxTokens must be more than 0 and
// at most 1000, tokenRatio more than 0.
func NewThrottlingBudget(name string, maxTokens, tokenRatio float64) (*Budget, error) {
	if name == "" {
		return nil, fmt.Errorf("otelretry: NewThrottlingBudget: the budget needs a name, such as that of its dependency")
	}
	if !(maxTokens > 0 && maxTokens <= 1000) {
		return nil, fmt.Errorf("otelretry: NewThrottlingBudget %q: maxTokens %v must be more than 0 and at most 1000", name, maxTokens)
	}
	if !(tokenRatio > 0 && tokenRatio <= maxTokens) {
		return nil, fmt.Errorf("otelretry: NewThrottlingBudget %q: tokenRatio %v must be more than 0 and at most maxTokens", name, tokenRatio)
	}
	return &Budget{
		name: name, text: fmt.Sprintf("%s (throttling, %v tokens, ratio %v)", name, maxTokens, tokenRatio),
		max: maxTokens, floor: maxTokens / 2, perSuccess: tokenRatio, perFailure: 1, tokens: maxTokens,
	}, nil
}

// Name gives the budget's name.
func (b *Budget) Name() string { return b.name }

// String says the budget in a few words.
func (b *Budget) String() string { return b.text }

// Utilization gives the share of the budget that is spent: 1 when a retry
// would be refused, 0 when all of it is there.
func (b *Budget) Utilization() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens <= b.floor {
		return 1
	}
	if b.perRetry > 0 {
		return 1 - b.tokens/b.max
	}
	return 1 - (b.tokens-b.floor)/(b.max-b.floor)
}

func (b *Budget) request() { b.change(b.perRequest) }
func (b *Budget) earn()    { b.change(b.perSuccess) }
func (b *Budget) failure() { b.change(-b.perFailure) }
func (b *Budget) refund()  { b.change(b.perRetry) }

func (b *Budget) change(by float64) {
	if by == 0 {
		return
	}
	b.mu.Lock()
	b.tokens = min(max(b.tokens+by, 0), b.max)
	b.mu.Unlock()
}

// spend pays for a retry, or reports that there is nothing to pay with.
func (b *Budget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens <= b.floor {
		return false
	}
	b.tokens -= b.perRetry
	return true
}
