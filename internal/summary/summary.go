// Package summary is what retrystat found: the figures of each operation and
// of all together. Its JSON form is a public interface; a pointer that is nil,
// or a map that is nil, means "not known" and is written as null, never as 0.
package summary

import "time"

// Summary is the result of reading telemetry.
type Summary struct {
	SchemaVersion int         `json:"schema_version"`
	Window        Window      `json:"window"`
	Operations    []Operation `json:"operations"`
	Total         Figures     `json:"total"`
	Input         Input       `json:"input"`

	// Notes are remarks about the figures for people: a disagreement of spans
	// and metrics, replicas that could not be told apart. Not part of the JSON.
	Notes []string `json:"-"`
	// Refused says that figures are missing because the input contradicted
	// itself; the notes say where.
	Refused bool `json:"-"`
	// Nothing says why there are no operations, for people; "" when there are
	// some. It is one of the notes too, unless Unmatched: filters by name leave all
	// of them out, which is an error.
	Nothing   string `json:"-"`
	Unmatched bool   `json:"-"`
	// LeftOut counts the operations that are in the total and, because of Top,
	// not in Operations.
	LeftOut int `json:"-"`
	// Interrupted says that reading ended before the input did.
	Interrupted bool `json:"-"`
	// Timeline holds the figures over time, oldest first, for plots.
	Timeline []Slot `json:"-"`
}

// Window is the time that the figures cover; nil is unknown.
type Window struct {
	Start *time.Time `json:"start"`
	End   *time.Time `json:"end"`
}

// Operation is one operation of one dependency.
type Operation struct {
	Dependency string  `json:"dependency"`
	Operation  string  `json:"operation"`
	CallSite   *string `json:"call_site"`
	Figures
}

// Name is the operation's name in full; where it has no dependency, or a
// dependency no operations, the other one alone.
func (o *Operation) Name() string {
	switch {
	case o.Operation == "":
		return o.Dependency
	case o.Dependency == "":
		return o.Operation
	}
	return o.Dependency + "/" + o.Operation
}

// Figures are the numbers of one operation, or of all.
type Figures struct {
	Requests            *float64           `json:"requests"`
	Attempts            *float64           `json:"attempts"`
	AttemptsPerRequest  *float64           `json:"attempts_per_request"`
	FirstAttemptSuccess *float64           `json:"first_attempt_success"`
	FirstAttemptRange   *[2]float64        `json:"first_attempt_success_interval"` // 95 % Wilson
	EventualSuccess     *float64           `json:"eventual_success"`
	Outcomes            map[string]float64 `json:"outcomes"`
	RetriesByClass      map[string]float64 `json:"retries_by_class"`
	RetrySuccessByClass map[string]float64 `json:"retry_success_by_class"`
	AddedLatency        *Distribution      `json:"added_latency_seconds"`
	RequestDuration     *Distribution      `json:"request_duration_seconds"`
	DeadlineExhaustions *float64           `json:"deadline_exhaustions"`
	BudgetRejections    *float64           `json:"budget_rejections"`
	Replays             *float64           `json:"idempotency_replays"`

	// Retried counts the requests that were retried, by the class of the first
	// failure; Saved counts those of them that succeeded. They back
	// RetrySuccessByClass and are not part of the JSON.
	Retried map[string]float64 `json:"-"`
	// RetryTotal counts retries whose class is not known; nil when they are
	// counted by class.
	RetryTotal *float64           `json:"-"`
	Saved      map[string]float64 `json:"-"`
}

// Distribution is a distribution of seconds; what is not known is nil.
type Distribution struct {
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
}

// Input counts what was read and what was not.
type Input struct {
	Files   int64     `json:"files"`
	Bytes   int64     `json:"bytes"`
	Points  int64     `json:"points"`
	Spans   int64     `json:"spans"`
	Skipped []Skipped `json:"skipped"`
}

// Skipped is input that could not be used, and the first place where.
type Skipped struct {
	Reason  string `json:"reason"`
	Count   int64  `json:"count"`
	Example string `json:"example"`
}

// Slot is one stretch of time of the timeline. What is nil is not known, in
// this slot as in any other.
type Slot struct {
	Start          time.Time
	Width          time.Duration
	Requests       float64
	Eligible       float64 // requests without the canceled ones
	Attempts       *float64
	FirstSuccess   *float64
	RetriesByClass map[string]float64
	AddedSeconds   *float64
}

// Retries returns the number of retries: the sum over the classes, or else
// attempts less requests; false when neither is known.
func (f *Figures) Retries() (float64, bool) {
	if f.RetriesByClass != nil {
		var sum float64
		for _, n := range f.RetriesByClass {
			sum += n
		}
		return sum, true
	}
	if f.RetryTotal != nil {
		return *f.RetryTotal, true
	}
	if f.Attempts != nil && f.Requests != nil {
		return max(*f.Attempts-*f.Requests, 0), true
	}
	return 0, false
}
