package rules

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/retrykit/retrykit/internal/summary"
)

// fewRequests is the number of requests below which a measurement proposes
// nothing: at 99 % success the 95 % interval of 1000 is still 1.2 points wide.
const fewRequests = 1000

// requestsPerWindow is how many requests a window needs for a share of them to
// mean something.
const requestsPerWindow = 30

// fewRetries in a window are no news.
const fewRetries = 5

// objectives are the objectives that are proposed, loosest first.
var objectives = []float64{0.99, 0.995, 0.999, 0.9995, 0.9999}

// Propose returns the settings with thresholds for each measured operation,
// and says why for each of them, also for those that it leaves alone.
//
// A proposal is never looser than the threshold of all: a limit that the
// measurement exceeds stays, so that the alert fires, and the reason says so.
// Thresholds that an operation of s already has stay too.
func Propose(s Settings, measured *summary.Summary) (Settings, []string) {
	p := proposal{settings: s}
	p.settings.Operations = slices.Clone(s.Operations)
	if w := measured.Window; w.Start != nil && w.End != nil {
		p.seconds = w.End.Sub(*w.Start).Seconds()
	}
	ops := slices.Clone(measured.Operations)
	summary.SortByRetries(ops)
	for _, op := range ops {
		p.operation(op)
	}
	if len(ops) == 0 {
		p.why("nothing measured: every threshold stays")
	}
	return p.settings, p.reasons
}

type proposal struct {
	settings Settings
	seconds  float64 // that were measured; 0 when not known
	reasons  []string
}

func (p *proposal) why(format string, args ...any) {
	p.reasons = append(p.reasons, fmt.Sprintf(format, args...))
}

func (p *proposal) operation(m summary.Operation) {
	name := m.Dependency + "/" + m.Operation
	if m.Requests == nil {
		p.why("%s: the number of requests is not known, so its thresholds stay", name)
		return
	}
	n := *m.Requests
	if n < fewRequests {
		p.why("%s: %s requests are too few to judge by (%d are needed), so its thresholds stay", name, number(n), fewRequests)
		return
	}
	own := Operation{Dependency: m.Dependency, Operation: m.Operation}
	i := slices.IndexFunc(p.settings.Operations, func(op Operation) bool {
		return op.Dependency == m.Dependency && op.Operation == m.Operation
	})
	if i >= 0 {
		own = p.settings.Operations[i]
	}
	before := own.Thresholds
	p.traffic(name, n, &own)
	p.attempts(name, m.Figures, &own)
	p.objective(name, m.Figures, &own)
	p.masked(name, m.Figures, &own)
	p.deadline(name, m.Figures, &own)
	p.retrySuccess(name, m.Figures, own)
	switch {
	case own.Thresholds == before:
	case i >= 0:
		p.settings.Operations[i] = own
	default:
		p.settings.Operations = append(p.settings.Operations, own)
	}
}

// traffic lowers the guard of an operation that would never pass it.
func (p *proposal) traffic(name string, n float64, own *Operation) {
	guard := own.Thresholds.Over(p.settings.Thresholds).MinRequestRate
	if own.MinRequestRate != nil || p.seconds <= 0 || *guard == 0 {
		return
	}
	rate := n / p.seconds
	window := time.Duration(p.settings.Window).Seconds()
	least := requestsPerWindow / window
	switch {
	case rate >= 2**guard:
		p.why("%s: min_request_rate stays %s: it has %.3g requests/s", name, number(*guard), rate)
	case max(rate/2, least) >= *guard:
		p.why("%s: min_request_rate stays %s, but it has %.3g requests/s: with less than that its alerts are silent", name, number(*guard), rate)
	case least > rate:
		p.why("%s: min_request_rate stays %s, so its alerts never fire: %.3g requests/s are fewer than %d in a window of %s; use a window of %s",
			name, number(*guard), rate, requestsPerWindow, p.settings.Window, time.Duration(math.Ceil(2*requestsPerWindow/rate/60))*time.Minute)
	default:
		own.MinRequestRate = rounded(max(rate/2, least))
		p.why("%s: min_request_rate %s instead of %s: it has %.3g requests/s, and the guard must be below that", name, number(*own.MinRequestRate), number(*guard), rate)
	}
}

// attempts proposes twice the usual excess over 1, with room for chance.
func (p *proposal) attempts(name string, m summary.Figures, own *Operation) {
	limits := own.Thresholds.Over(p.settings.Thresholds)
	if m.AttemptsPerRequest == nil {
		p.why("%s: attempts per request were not measured, so their limits stay", name)
		return
	}
	measured := *m.AttemptsPerRequest
	if measured > *limits.AttemptsTicket {
		p.why("%s: attempts_ticket stays %s, and its alert fires: %.4g attempts per request were measured", name, number(*limits.AttemptsTicket), measured)
		return
	}
	if own.AttemptsTicket != nil || own.AttemptsPage != nil {
		return
	}
	excess := measured - 1
	perWindow := max(requestsPerWindow, *limits.MinRequestRate*time.Duration(p.settings.Window).Seconds())
	usual := excess + 3*math.Sqrt(excess/perWindow) // retries in a window are about Poisson distributed
	ticket := rounded(1 + max(0.02, 2*usual, fewRetries/perWindow))
	page := rounded(1 + 2*(*ticket-1))
	if *ticket >= *limits.AttemptsTicket || *page >= *limits.AttemptsPage {
		p.why("%s: attempts_ticket stays %s: %.4g attempts per request were measured, and windows of %s vary up to %.4g",
			name, number(*limits.AttemptsTicket), measured, p.settings.Window, 1+usual)
		return
	}
	own.AttemptsTicket, own.AttemptsPage = ticket, page
	p.why("%s: attempts_ticket %s instead of %s, attempts_page %s instead of %s: %.4g attempts per request were measured, windows of %s vary up to %.4g, and the limit is twice that excess",
		name, number(*ticket), number(*limits.AttemptsTicket), number(*page), number(*limits.AttemptsPage), measured, p.settings.Window, 1+usual)
}

// objective proposes the tightest objective of which at most half of the error
// budget is used.
func (p *proposal) objective(name string, m summary.Figures, own *Operation) {
	limit := *own.Thresholds.Over(p.settings.Thresholds).Objective
	if m.FirstAttemptSuccess == nil {
		p.why("%s: first-attempt success was not measured, so its objective stays", name)
		return
	}
	low := *m.FirstAttemptSuccess
	if m.FirstAttemptRange != nil {
		low = m.FirstAttemptRange[0]
	}
	if low < limit {
		p.why("%s: first_attempt_success stays %s, and its budget burns %.2g times as fast as it lasts: %s was measured",
			name, number(limit), (1-*m.FirstAttemptSuccess)/(1-limit), share(*m.FirstAttemptSuccess))
		return
	}
	if own.Objective != nil {
		return
	}
	best := limit
	for _, o := range objectives {
		if o > best && 1-low <= (1-o)/2 {
			best = o
		}
	}
	if best == limit {
		p.why("%s: first_attempt_success stays %s: %s was measured, at least %s with 95 %% confidence",
			name, number(limit), share(*m.FirstAttemptSuccess), share(low))
		return
	}
	own.Objective = &best
	p.why("%s: first_attempt_success %s instead of %s: %s was measured, at least %s with 95 %% confidence, which uses less than half of the budget",
		name, number(best), number(limit), share(*m.FirstAttemptSuccess), share(low))
}

func (p *proposal) masked(name string, m summary.Figures, own *Operation) {
	if m.EventualSuccess == nil || m.FirstAttemptSuccess == nil {
		p.why("%s: what retries hide was not measured, so masked_failure stays", name)
		return
	}
	p.upperLimit(name, "masked_failure", *m.EventualSuccess-*m.FirstAttemptSuccess, 0.01,
		own.MaskedFailure, *own.Thresholds.Over(p.settings.Thresholds).MaskedFailure, &own.MaskedFailure)
}

func (p *proposal) deadline(name string, m summary.Figures, own *Operation) {
	if m.DeadlineExhaustions == nil || *m.Requests == 0 {
		p.why("%s: exhausted deadlines were not measured, so deadline_share stays", name)
		return
	}
	p.upperLimit(name, "deadline_share", *m.DeadlineExhaustions / *m.Requests, 0.002,
		own.DeadlineShare, *own.Thresholds.Over(p.settings.Thresholds).DeadlineShare, &own.DeadlineShare)
}

// upperLimit proposes three times what was measured, and not less than least.
func (p *proposal) upperLimit(name, setting string, measured, least float64, own *float64, limit float64, set **float64) {
	switch proposed := rounded(max(least, 3*measured)); {
	case measured > limit:
		p.why("%s: %s stays %s, and its alert fires: %s was measured", name, setting, number(limit), share(measured))
	case own != nil:
	case *proposed >= limit:
		p.why("%s: %s stays %s: %s was measured", name, setting, number(limit), share(measured))
	default:
		*set = proposed
		p.why("%s: %s %s instead of %s: %s was measured; the limit is three times that and at least %s",
			name, setting, number(*proposed), number(limit), share(measured), number(least))
	}
}

func (p *proposal) retrySuccess(name string, m summary.Figures, own Operation) {
	limit := *own.Thresholds.Over(p.settings.Thresholds).RetrySuccess
	var retried, saved float64
	for _, v := range m.Retried {
		retried += v
	}
	for _, v := range m.Saved {
		saved += v
	}
	switch {
	case retried == 0:
		p.why("%s: retry_success stays %s: no retried request was measured", name, number(limit))
	case saved/retried < limit:
		p.why("%s: retry_success stays %s, and its alert fires: %s of %s retried requests were saved", name, number(limit), share(saved/retried), number(retried))
	default:
		p.why("%s: retry_success stays %s: %s of %s retried requests were saved", name, number(limit), share(saved/retried), number(retried))
	}
}

// rounded is v with two significant digits of what is past its whole part.
func rounded(v float64) *float64 {
	whole, part := math.Modf(v)
	if part > 0 {
		unit := math.Pow(10, math.Floor(math.Log10(part))-1)
		if whole > 0 {
			unit = max(unit, 0.005)
		}
		part = math.Ceil(part/unit-1e-9) * unit
	}
	v = math.Round((whole+part)*1e9) / 1e9
	return &v
}

func share(v float64) string { return fmt.Sprintf("%.4g %%", v*100) }
