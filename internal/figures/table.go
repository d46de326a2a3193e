// Package figures defines what retrystat, the alert rules and the dashboards
// call a figure, once, in Go and in PromQL side by side, and computes the
// summary of recorded telemetry.
package figures

import (
	"slices"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/summary"
)

// Unit is the unit of a figure.
type Unit string

// The units of figures.
const (
	Ratio   Unit = "ratio"   // 0 to 1
	PerOne  Unit = "per_one" // a count per request
	Seconds Unit = "seconds"
	Rate    Unit = "per_second" // a count a second in PromQL; the count itself in a summary
	Count   Unit = "count"
)

// Figure is one number about an operation's retries.
type Figure struct {
	ID    string // part of recording rule names, threshold names and CSV columns
	Title string // for people
	Help  string // what it means, and what its denominator is
	Unit  Unit
	// ByClass says that there is one value per error class (error.type).
	ByClass bool
	// Better says which direction is good: -1 lower, 1 higher, 0 neither.
	Better int
	// Now is the aggregation, "sum" or "max", of a figure that is read as it
	// stands, without a window; empty for all others.
	Now string

	// Value takes the figure from a summary: by class, or under "" when there
	// is one value only. What is not known is not in the map. It is nil for a
	// figure that only a live system has, such as attempts in flight.
	Value func(*summary.Figures) map[string]float64
	// PromQL gives the same number from Prometheus.
	PromQL func(Query) string
}

// Get returns the figure's only value; false when it is not known or ByClass.
func (f Figure) Get(s *summary.Figures) (float64, bool) {
	if f.Value == nil {
		return 0, false
	}
	v, ok := f.Value(s)[""]
	return v, ok
}

// RecordName returns the name under which a recording rule stores the figure
// over a window: "retry:attempts_per_request:ratio_rate5m".
func (f Figure) RecordName(window string) string {
	name := "retry:" + f.ID + ":"
	if f.Now != "" {
		return name + f.Now
	}
	switch f.Unit {
	case Ratio, PerOne:
		name += "ratio_"
	case Seconds:
		name += "seconds_"
	}
	return name + "rate" + window
}

// Table returns every figure, in the order in which they are shown.
func Table() []Figure {
	return append([]Figure{
		{
			ID: "requests", Title: "Requests", Unit: Rate,
			Help:  "logical operations as their caller sees them",
			Value: scalar(func(s *summary.Figures) *float64 { return s.Requests }),
			PromQL: func(q Query) string {
				return q.Rate(contract.Requests)
			},
		},
		{
			ID: "attempts", Title: "Attempts", Unit: Rate,
			Help:  "executions of requests, first attempts and retries together",
			Value: scalar(func(s *summary.Figures) *float64 { return s.Attempts }),
			PromQL: func(q Query) string {
				return q.Rate(contract.Attempts)
			},
		},
		{
			ID: "attempts_per_request", Title: "Attempts per request", Unit: PerOne, Better: -1,
			Help:  "the load that one request puts on the dependency; 1 means no retries",
			Value: scalar(func(s *summary.Figures) *float64 { return s.AttemptsPerRequest }),
			PromQL: func(q Query) string {
				return q.histogramMean(contract.RequestAttempts)
			},
		},
		{
			ID: "first_attempt_success", Title: "First-attempt success", Unit: Ratio, Better: 1,
			Help:  "requests that succeeded on attempt 1 / requests that were not canceled",
			Value: scalar(func(s *summary.Figures) *float64 { return s.FirstAttemptSuccess }),
			PromQL: func(q Query) string {
				return share(q.Rate(contract.Requests, q.Match(contract.AttrOutcome, "=", contract.FirstAttemptSuccess)),
					q.notCanceled())
			},
		},
		{
			ID: "eventual_success", Title: "Eventual success", Unit: Ratio, Better: 1,
			Help:  "requests that succeeded at all / requests that were not canceled",
			Value: scalar(func(s *summary.Figures) *float64 { return s.EventualSuccess }),
			PromQL: func(q Query) string {
				return share(q.succeeded(), q.notCanceled())
			},
		},
		{
			ID: "masked_failure", Title: "Failures that retries hide", Unit: Ratio, Better: -1,
			Help: "eventual success less first-attempt success: how much worse the dependency is than it looks",
			Value: func(s *summary.Figures) map[string]float64 {
				if s.EventualSuccess == nil || s.FirstAttemptSuccess == nil {
					return nil
				}
				return map[string]float64{"": *s.EventualSuccess - *s.FirstAttemptSuccess}
			},
			PromQL: func(q Query) string {
				return share(q.Rate(contract.Requests, q.Match(contract.AttrOutcome, "=", contract.RetriedSuccess)),
					q.notCanceled())
			},
		},
		{
			ID: "retry_ratio", Title: "Retries per request", Unit: PerOne, Better: -1,
			Help: "retries / requests",
			Value: func(s *summary.Figures) map[string]float64 {
				n, ok := s.Retries()
				return over(n, ok, s.Requests)
			},
			PromQL: func(q Query) string {
				return share(q.Rate(contract.Retries), q.Rate(contract.Requests))
			},
		},
		{
			ID: "retry_ratio_by_class", Title: "Retries per request by error class", Unit: PerOne, ByClass: true, Better: -1,
			Help: "retries that an error of the class caused / requests",
			Value: func(s *summary.Figures) map[string]float64 {
				if s.Requests == nil || *s.Requests == 0 {
					return nil
				}
				out := map[string]float64{}
				for class, n := range s.RetriesByClass {
					out[class] = n / *s.Requests
				}
				return out
			},
			PromQL: func(q Query) string {
				return q.Sum("rate", contract.Retries, "", []string{contract.AttrErrorType}) +
					" / on (" + q.by() + ") group_left () " + q.Rate(contract.Requests)
			},
		},
		{
			ID: "retry_success", Title: "Retry success", Unit: Ratio, Better: 1,
			Help: "requests saved by a retry / requests that were retried",
			Value: func(s *summary.Figures) map[string]float64 {
				var retried, saved float64
				for _, n := range s.Retried {
					retried += n
				}
				for _, n := range s.Saved {
					saved += n
				}
				return over(saved, s.Retried != nil, &retried)
			},
			PromQL: func(q Query) string {
				return share(q.Rate(contract.RetriedRequests, q.Match(contract.AttrSaved, "=", "true")),
					q.Rate(contract.RetriedRequests))
			},
		},
		{
			ID: "retry_success_by_class", Title: "Retry success by error class", Unit: Ratio, ByClass: true, Better: 1,
			Help:  "requests saved by a retry after a first failure of the class / requests retried after one",
			Value: func(s *summary.Figures) map[string]float64 { return s.RetrySuccessByClass },
			PromQL: func(q Query) string {
				class := []string{contract.AttrErrorType}
				return share(
					q.Sum("rate", contract.RetriedRequests, "", class, q.Match(contract.AttrSaved, "=", "true")),
					q.Sum("rate", contract.RetriedRequests, "", class))
			},
		},
		{
			ID: "added_latency", Title: "Latency added per request", Unit: Seconds, Better: -1,
			Help:  "time between the end of attempt 1 and the end of the request, over all requests",
			Value: fromDistribution(added, mean),
			PromQL: func(q Query) string {
				return share(q.histogramSum(contract.AddedDuration), q.Rate(contract.Requests))
			},
		},
		{
			ID: "added_latency_p50", Title: "Latency added, p50", Unit: Seconds, Better: -1,
			Help:   "median over the requests that were retried",
			Value:  fromDistribution(added, p50),
			PromQL: func(q Query) string { return q.histogramQuantile("0.5", contract.AddedDuration) },
		},
		{
			ID: "added_latency_p95", Title: "Latency added, p95", Unit: Seconds, Better: -1,
			Help:   "95th percentile over the requests that were retried",
			Value:  fromDistribution(added, p95),
			PromQL: func(q Query) string { return q.histogramQuantile("0.95", contract.AddedDuration) },
		},
		{
			ID: "added_latency_p99", Title: "Latency added, p99", Unit: Seconds, Better: -1,
			Help:   "99th percentile over the requests that were retried",
			Value:  fromDistribution(added, p99),
			PromQL: func(q Query) string { return q.histogramQuantile("0.99", contract.AddedDuration) },
		},
		{
			ID: "request_duration", Title: "Request duration, mean", Unit: Seconds, Better: -1,
			Help:   "the whole request, waits included",
			Value:  fromDistribution(duration, mean),
			PromQL: func(q Query) string { return q.histogramMean(contract.RequestDuration) },
		},
		{
			ID: "request_duration_p50", Title: "Request duration, p50", Unit: Seconds, Better: -1,
			Help:   "median of the whole request, waits included",
			Value:  fromDistribution(duration, p50),
			PromQL: func(q Query) string { return q.histogramQuantile("0.5", contract.RequestDuration) },
		},
		{
			ID: "request_duration_p95", Title: "Request duration, p95", Unit: Seconds, Better: -1,
			Help:   "95th percentile of the whole request, waits included",
			Value:  fromDistribution(duration, p95),
			PromQL: func(q Query) string { return q.histogramQuantile("0.95", contract.RequestDuration) },
		},
		{
			ID: "request_duration_p99", Title: "Request duration, p99", Unit: Seconds, Better: -1,
			Help:   "99th percentile of the whole request, waits included",
			Value:  fromDistribution(duration, p99),
			PromQL: func(q Query) string { return q.histogramQuantile("0.99", contract.RequestDuration) },
		},
		outcomeShare("not_retryable_share", "Stopped as permanent", contract.NotRetryable),
		outcomeShare("attempts_exhausted_share", "Attempts exhausted", contract.AttemptsExhausted),
		outcomeShare("deadline_share", "Deadline exceeded", contract.DeadlineExceeded),
		outcomeShare("budget_share", "Refused by the budget", contract.BudgetRejected),
		outcomeShare("breaker_share", "Refused by the breaker", contract.BreakerOpen),
		outcomeShare("pushback_share", "Given up on the server's hint", contract.Pushback),
		outcomeShare("cancel_share", "Canceled by the caller", contract.Canceled),
	}, live()...)
}

// live are the figures whose series carry no operation, or no history worth
// summing: they are grouped by dependency where the contract says so.
func live() []Figure {
	return []Figure{
		{
			ID: "budget_rejections", Title: "Retries refused by the budget", Unit: Rate, Better: -1,
			Help:  "retries that a budget did not allow, per dependency",
			Value: scalar(func(s *summary.Figures) *float64 { return s.BudgetRejections }),
			PromQL: func(q Query) string {
				return q.perDependency().Rate(contract.BudgetRejections)
			},
		},
		{
			ID: "idempotency_replays", Title: "Replays", Unit: Rate,
			Help:  "retries that found a completed result under their idempotency key",
			Value: scalar(func(s *summary.Figures) *float64 { return s.Replays }),
			PromQL: func(q Query) string {
				return q.Rate(contract.Replays)
			},
		},
		{
			ID: "attempts_in_flight", Title: "Attempts in flight", Unit: Count, Better: -1, Now: "sum",
			Help:   "attempts that run now",
			PromQL: func(q Query) string { return q.Gauge("sum", contract.InFlight) },
		},
		{
			ID: "budget_utilization", Title: "Budget used", Unit: Ratio, Better: -1, Now: "max",
			Help:   "the fullest retry budget of the dependency",
			PromQL: func(q Query) string { return q.perDependency().Gauge("max", contract.BudgetUtilization) },
		},
	}
}

// Find returns the figure of that ID.
func Find(id string) (Figure, bool) {
	for _, f := range Table() {
		if f.ID == id {
			return f, true
		}
	}
	return Figure{}, false
}

func outcomeShare(id, title, outcome string) Figure {
	return Figure{
		ID: id, Title: title, Unit: Ratio, Better: -1,
		Help: "requests with outcome " + outcome + " / requests",
		Value: func(s *summary.Figures) map[string]float64 {
			n, ok := s.Outcomes[outcome]
			return over(n, ok, s.Requests)
		},
		PromQL: func(q Query) string {
			return share(q.Rate(contract.Requests, q.Match(contract.AttrOutcome, "=", outcome)), q.Rate(contract.Requests))
		},
	}
}

func (q Query) notCanceled() string {
	return q.Rate(contract.Requests, q.Match(contract.AttrOutcome, "!=", contract.Canceled))
}

func (q Query) succeeded() string {
	return q.Rate(contract.Requests, q.Match(contract.AttrOutcome, "=~", "(first_attempt|retried)_success"))
}

// perDependency drops the operation from the grouping and the matchers: the
// budget's metrics have none.
func (q Query) perDependency() Query {
	q.OperationMatchers = nil
	if q.By == nil {
		q.By = []string{contract.AttrDependency}
		return q
	}
	q.By = slices.DeleteFunc(slices.Clone(q.By), func(attr string) bool { return attr == contract.AttrOperation })
	return q
}

func scalar(get func(*summary.Figures) *float64) func(*summary.Figures) map[string]float64 {
	return func(s *summary.Figures) map[string]float64 {
		if v := get(s); v != nil {
			return map[string]float64{"": *v}
		}
		return nil
	}
}

func over(part float64, known bool, whole *float64) map[string]float64 {
	if !known || whole == nil || *whole == 0 {
		return nil
	}
	return map[string]float64{"": part / *whole}
}

func fromDistribution(of func(*summary.Figures) *summary.Distribution, get func(*summary.Distribution) *float64) func(*summary.Figures) map[string]float64 {
	return scalar(func(s *summary.Figures) *float64 {
		if d := of(s); d != nil {
			return get(d)
		}
		return nil
	})
}

func added(s *summary.Figures) *summary.Distribution    { return s.AddedLatency }
func duration(s *summary.Figures) *summary.Distribution { return s.RequestDuration }
func mean(d *summary.Distribution) *float64             { return d.Mean }
func p50(d *summary.Distribution) *float64              { return d.P50 }
func p95(d *summary.Distribution) *float64              { return d.P95 }
func p99(d *summary.Distribution) *float64              { return d.P99 }
