package figures

import (
	"cmp"
	"slices"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// maxPending bounds the requests that wait for spans of theirs. At about 250
// bytes each that is some 130 MB at worst.
const maxPending = 1 << 19

// Bounds of what spans may name: attributes that hold an id, say, would make as
// many operations as there are requests. What is past them counts as
// contract.Other.
const (
	maxOperations = 4096 // at some 30 kB each
	maxOutcomes   = 64   // of an operation
	maxClasses    = 256  // of an operation
	maxSites      = 2    // of an operation: it is shown when there is one
	maxAttempts   = 1024 // of a request, that are kept; the rest is of UnknownClass
)

// UnknownClass is the class of a retry whose cause was not recorded.
const UnknownClass = "unknown"

type spanKey struct {
	trace [16]byte
	id    [8]byte
}

// pending is a request of which not every span has been read.
type pending struct {
	key      spanKey
	request  telemetry.Span
	have     bool // the request span was read
	attempts []attempt

	older, newer *pending // in the order in which they came
}

type attempt struct {
	number int
	end    int64
	class  string // "" when it succeeded
}

// spans joins request spans with their attempts, which come in any order and
// from any file, and counts the requests.
type spans struct {
	window         window
	pending        map[spanKey]*pending
	oldest, newest *pending
	free           []*pending // to be used again
	accounts       map[operationKey]*account
	sends          map[operationKey]*account // of HTTP clients, till the end
	counters       map[operationKey]*counters
	places         []place // where requests are counted, by the number of their facts
	sites          map[operationKey]map[string]bool
	trackFor       func(operationKey, trackName) *track
	repeats        repeats

	first, last int64
	incomplete  int64 // requests whose attempts were not all read
	orphans     int64 // attempts whose request was not read
	requests    int64
	others      int64          // requests and sends of operations past the bound
	shadowed    []operationKey // that have HTTP client spans besides request spans
}

func newSpans(w window, trackFor func(operationKey, trackName) *track) *spans {
	return &spans{
		window: w, repeats: newRepeats(), pending: map[spanKey]*pending{},
		accounts: map[operationKey]*account{}, sends: map[operationKey]*account{}, counters: map[operationKey]*counters{}, sites: map[operationKey]map[string]bool{}, trackFor: trackFor,
	}
}

func (s *spans) add(x *telemetry.Span) {
	switch x.Role {
	case telemetry.Request:
		if !s.window.has(x.End) {
			s.repeats.add(spanKey{x.Trace, x.ID})
			s.forget(spanKey{x.Trace, x.ID})
			return
		}
		if s.repeats.again(x) {
			s.forget(spanKey{x.Trace, x.ID})
			return
		}
		if x.Outcome == contract.FirstAttemptSuccess {
			s.count(x, nil) // there is nothing to wait for
			return
		}
		p := s.wait(spanKey{x.Trace, x.ID})
		if p.have {
			return // the same span again
		}
		p.request, p.have = *x, true
		s.finish(p)
	case telemetry.Attempt:
		if s.window.until != 0 && x.End > s.window.until { // its request ends later still
			return
		}
		if x.Attempt == 1 && !x.Failed && x.ErrorType == "" {
			return // the attempt of a first-attempt success
		}
		p := s.wait(spanKey{x.Trace, x.Parent})
		for _, a := range p.attempts {
			if a.number == x.Attempt && a.end == x.End {
				return
			}
		}
		if len(p.attempts) >= maxAttempts {
			return
		}
		class := x.ErrorType
		if class == "" && x.Failed {
			class = UnknownClass
		}
		p.attempts = append(p.attempts, attempt{x.Attempt, x.End, class})
		s.finish(p)
	case telemetry.HTTPClient:
		if s.window.has(x.End) && !s.repeats.again(x) {
			s.countSend(x)
		}
	}
}

func (s *spans) wait(key spanKey) *pending {
	if p := s.newest; p != nil && p.key == key { // attempts come one after another, and then their request
		return p
	}
	if p, ok := s.pending[key]; ok {
		return p
	}
	if len(s.pending) >= maxPending {
		s.give(s.oldest)
	}
	var p *pending
	if n := len(s.free); n > 0 {
		p, s.free = s.free[n-1], s.free[:n-1]
		*p = pending{attempts: p.attempts[:0]}
	} else {
		p = &pending{}
	}
	p.key = key
	p.older = s.newest
	if s.newest != nil {
		s.newest.newer = p
	} else {
		s.oldest = p
	}
	s.newest = p
	s.pending[key] = p
	return p
}

// finish counts a request of which everything was read.
func (s *spans) finish(p *pending) {
	if p.have && len(p.attempts) >= p.request.Attempts {
		s.give(p)
	}
}

// give counts a request with what was read of it.
func (s *spans) give(p *pending) {
	s.unlink(p)
	switch {
	case p.have:
		if n := p.request.Attempts; n == 0 || len(p.attempts) < n {
			s.repeats.expect(p.key) // what comes too late is no copy
		}
		s.count(&p.request, p.attempts)
	case !s.repeats.complete(p.key): // else they are copies, or the request is not asked about
		for _, a := range p.attempts {
			if s.window.has(a.end) { // of others the request may be outside
				s.orphans++
			}
		}
	}
	s.reuse(p)
}

// forget drops the attempts of a request that isn't asked about, or was counted.
func (s *spans) forget(key spanKey) {
	if p, ok := s.pending[key]; ok && !p.have {
		s.unlink(p)
		s.reuse(p)
	}
}

func (s *spans) unlink(p *pending) {
	if p.older != nil {
		p.older.newer = p.newer
	} else {
		s.oldest = p.newer
	}
	if p.newer != nil {
		p.newer.older = p.older
	} else {
		s.newest = p.older
	}
	delete(s.pending, p.key)
}

func (s *spans) reuse(p *pending) {
	if len(s.free) < 1024 {
		s.free = append(s.free, p)
	}
}

func (s *spans) end() {
	for s.oldest != nil {
		s.give(s.oldest)
	}
	for key, c := range s.counters {
		c.settle(s.account(key))
	}
	for key, a := range s.sends {
		if s.accounts[key] == nil {
			s.accounts[key] = a
		} else { // the sends of these requests, or of others: together they would count twice
			s.shadowed = append(s.shadowed, key)
		}
	}
	slices.SortFunc(s.shadowed, operationKey.compare)
	clear(s.counters)
	clear(s.sends)
	s.places = nil
}

func (s *spans) account(key operationKey) *account {
	a, ok := s.accounts[key]
	if !ok {
		a = &account{outcomes: map[string]float64{}, retries: map[string]float64{}, retried: map[string]float64{},
			saved: map[string]float64{}, hasAttempts: true}
		s.accounts[key] = a
	}
	return a
}

// counters are the counts of an operation that every request adds to, kept
// where adding is cheap until the account is settled.
type counters struct {
	key      operationKey
	outcomes []outcomeCounter
	requests float64
	attempts float64
	track    *track // of attempts
	site     string // the last one seen
	duration spanHistogram

	account *account // nil until a request was retried
	classes []classCounter
	added   *track
}

// classCounter counts retries of one error class, and the requests whose first
// failure was of it.
type classCounter struct {
	class                   string
	retries, retried, saved float64
	track                   *track
}

type outcomeCounter struct {
	outcome string
	n       float64
	track   *track
}

func (s *spans) counter(key operationKey) *counters {
	c, ok := s.counters[key]
	if !ok && len(s.counters)+len(s.sends) >= maxOperations && key != otherOperation {
		s.others++
		return s.counter(otherOperation)
	}
	if !ok {
		c = &counters{key: key, track: s.trackFor(key, trackName{trackAttempts, ""})}
		s.counters[key] = c
	}
	return c
}

var (
	otherOperation = operationKey{contract.Other, contract.Other}
	otherSends     = operationKey{contract.Other, "HTTP client"}
)

func (s *spans) class(c *counters, class string) *classCounter {
	for i := range c.classes {
		if x := &c.classes[i]; x.class == class {
			return x
		}
	}
	if len(c.classes) >= maxClasses && class != contract.Other {
		return s.class(c, contract.Other)
	}
	c.classes = append(c.classes, classCounter{class: class, track: s.trackFor(c.key, trackName{trackRetries, class})})
	return &c.classes[len(c.classes)-1]
}

// outcome returns the place of an outcome among those of the operation.
func (s *spans) outcome(c *counters, outcome string) int {
	for i := range c.outcomes {
		if c.outcomes[i].outcome == outcome {
			return i
		}
	}
	if len(c.outcomes) >= maxOutcomes && outcome != contract.Other {
		return s.outcome(c, contract.Other)
	}
	c.outcomes = append(c.outcomes, outcomeCounter{outcome, 0, s.trackFor(c.key, trackName{trackRequests, outcome})})
	return len(c.outcomes) - 1
}

func (c *counters) settle(a *account) {
	for _, o := range c.outcomes {
		a.outcomes[o.outcome] += o.n
	}
	for _, x := range c.classes {
		a.retries[x.class] += x.retries
		if x.retried > 0 {
			a.retried[x.class] += x.retried
		}
		if x.saved > 0 {
			a.saved[x.class] += x.saved
		}
	}
	a.attempts += c.attempts
	d := distribution{parts: 1, hasSum: true, noBuckets: true, count: c.requests, sum: c.attempts}
	a.requestAttempts.add(&d)
	duration := c.duration.distribution()
	a.duration.add(&duration)
}

func (s *spans) seen(x *telemetry.Span) {
	if s.first == 0 || x.Start < s.first {
		s.first = x.Start
	}
	s.last = max(s.last, x.End)
}

// place is where requests are counted: in an operation's counters, and among
// its outcomes.
type place struct {
	counters *counters
	outcome  int // unknown when facts do not say it
}

const unknown = -1

// place returns where a request is counted. Finding that takes comparing
// strings, and is done once for all spans with the same facts.
func (s *spans) place(f *telemetry.Facts) place {
	if f.Number < len(s.places) && s.places[f.Number].counters != nil {
		return s.places[f.Number]
	}
	key := operationKey{f.Dependency, f.Operation}
	p := place{s.counter(key), unknown}
	if f.Outcome != "" {
		p.outcome = s.outcome(p.counters, f.Outcome)
	}
	s.site(p.counters, f.CallSite)
	if f.Number == 0 || p.counters.key != key { // of those past the bound each counts
		return p
	}
	if f.Number >= len(s.places) {
		s.places = append(s.places, make([]place, f.Number+1-len(s.places))...)
	}
	s.places[f.Number] = p
	return p
}

// site notes a place in the code that requests of an operation are made at.
func (s *spans) site(c *counters, site string) {
	if site == "" || site == c.site {
		return
	}
	c.site = site
	if s.sites[c.key] == nil {
		s.sites[c.key] = map[string]bool{}
	}
	if len(s.sites[c.key]) < maxSites {
		s.sites[c.key][site] = true
	}
}

func (s *spans) count(x *telemetry.Span, attempts []attempt) {
	s.requests++
	s.seen(x)
	p := s.place(x.Facts)
	c, n := p.counters, x.Attempts
	if n == 0 {
		n = max(1, len(attempts))
	}
	if p.outcome == unknown {
		p.outcome = s.outcome(c, outcomeOfSpan(x, n))
	}
	o := &c.outcomes[p.outcome]
	o.n++
	o.track.add(x.End, 1)
	c.requests++
	c.attempts += float64(n)
	c.track.add(x.End, float64(n))
	c.duration.observe(float64(x.End-x.Start) / 1e9)
	if n > 1 {
		s.countRetries(c, x, attempts, o.outcome, n)
	}
}

// outcomeOfSpan is the outcome of a request that does not say its own.
func outcomeOfSpan(x *telemetry.Span, attempts int) string {
	switch {
	case x.Failed && attempts > 1:
		return contract.AttemptsExhausted
	case x.Failed:
		return contract.NotRetryable
	case attempts > 1:
		return contract.RetriedSuccess
	}
	return contract.FirstAttemptSuccess
}

// countRetries counts the retries of a request of n attempts. How long that takes
// depends on the attempts that were read, and not on n, which anything may say.
func (s *spans) countRetries(c *counters, x *telemetry.Span, attempts []attempt, outcome string, n int) {
	rest := n - 1 // whose cause was not read
	for i := range attempts {
		t := &attempts[i]
		if t.number < 1 || t.number >= n || hasNumber(attempts[:i], t.number) {
			continue
		}
		rest--
		s.countRetry(c, x, cmp.Or(t.class, UnknownClass), 1)
	}
	if rest > 0 {
		s.countRetry(c, x, UnknownClass, float64(rest))
		s.incomplete++
	}
	class, end := failureOf(attempts, 1)
	first := s.class(c, class)
	first.retried++
	if outcome == contract.RetriedSuccess {
		first.saved++
	}
	if c.account == nil {
		c.account, c.added = s.account(c.key), s.trackFor(c.key, trackName{trackAdded, ""})
	}
	if end == 0 {
		c.account.refuse(roleAdded) // the end of attempt 1 is not known
		return
	}
	added := max(float64(x.End-end)/1e9, 0) // a hedge may have answered before the first attempt ended
	c.account.added.observe(added)
	c.added.add(x.End, added)
}

func (s *spans) countRetry(c *counters, x *telemetry.Span, class string, n float64) {
	of := s.class(c, class)
	of.retries += n
	of.track.add(x.End, n)
}

func hasNumber(attempts []attempt, number int) bool {
	return slices.ContainsFunc(attempts, func(t attempt) bool { return t.number == number })
}

// failureOf returns what an attempt failed of, and when it ended; 0 when it was
// not read.
func failureOf(attempts []attempt, number int) (class string, end int64) {
	for i := range attempts {
		if t := &attempts[i]; t.number == number {
			return cmp.Or(t.class, UnknownClass), t.end
		}
	}
	return UnknownClass, 0
}

// countSend counts one send of an HTTP client: a request when it is the first
// one, and a retry when it is a resend. Which send ended well can't be told
// from one span, and a redirect is a resend too.
func (s *spans) countSend(x *telemetry.Span) {
	s.seen(x)
	key := operationKey{x.Dependency, x.Operation}
	a, ok := s.sends[key]
	if !ok && len(s.counters)+len(s.sends) >= maxOperations {
		s.others++
		key = otherSends
		a, ok = s.sends[key]
	}
	if !ok {
		a = &account{hasAttempts: true, hasRequestCount: true}
		s.sends[key] = a
	}
	a.attempts++
	s.trackFor(key, trackName{trackSendAttempts, ""}).add(x.End, 1)
	if x.Attempt > 0 {
		return
	}
	s.requests++
	a.requestCount++
	s.trackFor(key, trackName{trackSendRequests, ""}).add(x.End, 1)
}
