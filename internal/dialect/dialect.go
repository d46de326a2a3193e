// Package dialect is the table of retry telemetry that is read into figures:
// otelretry's own and that of others. A row says which metric means what; it
// is data, and a new dialect is new rows and a fixture.
package dialect

import (
	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// Role is what the numbers of a metric mean.
type Role uint8

// The roles of metrics.
const (
	Requests         Role = iota // requests by outcome
	Attempts                     // attempts by error class
	Retries                      // retries by the error class that caused them
	Retried                      // requests that were retried, by the class of their first failure
	RequestAttempts              // distribution of attempts per request
	RequestDuration              // distribution of the request's time
	AddedDuration                // distribution of the time after attempt 1
	BudgetRejections             // retries that a budget or a breaker of retries refused
	Replays                      // retries that found a completed result
	RetryTotal                   // retries, of whatever class
)

// Outcome-like values that only dialects need: what they can't split further.
const (
	OutcomeSuccess = "success" // on whichever attempt
	OutcomeFailure = "failure" // for whichever reason
)

// Part is which number of a histogram counts.
type Part uint8

// The parts.
const (
	All   Part = iota // the whole distribution, or a counter's value
	Count             // how many observations
	Total             // the sum of the observations
)

// Rule reads one metric into one role.
type Rule struct {
	Metric contract.Metric
	Role   Role
	Part   Part
	Factor float64 // multiplies values; 0 stands for 1. Negative subtracts

	// Attributes that name the dependency, the operation and the error class:
	// the first one present counts. Resource attributes are asked last.
	Dependency, Operation, Class []string
	// Outcome is the attribute that holds the outcome of Requests, and Outcomes
	// translates its values ("" is what any other value means).
	Outcome  string
	Outcomes map[string]string
	// Saved is the attribute that says whether a Retried request succeeded, and
	// SavedValue its value then.
	Saved, SavedValue string
	// Only lists what the point's attributes must be: "" means absent, "*"
	// present.
	Only map[string]string
	// Partial says that Outcomes does not tell every outcome of the contract
	// apart, so that an outcome without points is not known to be 0.
	Partial bool
	// Fixed is the outcome or class of every point, for metrics that count one.
	Fixed string
}

// Dialect is one library's or proxy's retry telemetry.
type Dialect struct {
	Name   string
	Source string // where the names are documented
	Rules  []Rule
	// CantTell says what a dialect's numbers leave open, for people.
	CantTell string
}

// Catalog returns the metrics and attributes of every dialect.
func Catalog() *telemetry.Catalog {
	var metrics []contract.Metric
	attrs := []string{
		contract.AttrDependency, contract.AttrOperation, contract.AttrOutcome, contract.AttrSaved,
		contract.AttrBudgetName, contract.AttrErrorType, contract.AttrOverflow,
	}
	seen := map[string]bool{}
	for _, d := range Table() {
		for _, r := range d.Rules {
			if !seen[r.Metric.Name] {
				seen[r.Metric.Name] = true
				metrics = append(metrics, r.Metric)
			}
			attrs = append(attrs, r.Dependency...)
			attrs = append(attrs, r.Operation...)
			attrs = append(attrs, r.Class...)
			if r.Outcome != "" {
				attrs = append(attrs, r.Outcome)
			}
			for key := range r.Only {
				attrs = append(attrs, key)
			}
		}
	}
	return telemetry.NewCatalog(metrics, attrs)
}

// RulesByMetric returns the rules under their metric's canonical name.
func RulesByMetric() map[string][]Rule {
	out := map[string][]Rule{}
	for _, d := range Table() {
		for _, r := range d.Rules {
			out[r.Metric.Name] = append(out[r.Metric.Name], r)
		}
	}
	return out
}

func own() Dialect {
	dep, op, class := []string{contract.AttrDependency}, []string{contract.AttrOperation}, []string{contract.AttrErrorType}
	same := map[string]string{}
	for _, o := range contract.Outcomes() {
		same[o] = o
	}
	return Dialect{
		Name:   "otelretry",
		Source: "the telemetry contract",
		Rules: []Rule{
			{Metric: contract.Requests, Role: Requests, Dependency: dep, Operation: op, Outcome: contract.AttrOutcome, Outcomes: same},
			{Metric: contract.Attempts, Role: Attempts, Dependency: dep, Operation: op, Class: class},
			{Metric: contract.Retries, Role: Retries, Dependency: dep, Operation: op, Class: class},
			{Metric: contract.RetriedRequests, Role: Retried, Dependency: dep, Operation: op, Class: class, Saved: contract.AttrSaved, SavedValue: "true"},
			{Metric: contract.RequestAttempts, Role: RequestAttempts, Dependency: dep, Operation: op},
			{Metric: contract.RequestDuration, Role: RequestDuration, Dependency: dep, Operation: op, Class: class},
			{Metric: contract.AddedDuration, Role: AddedDuration, Dependency: dep, Operation: op},
			{Metric: contract.BudgetRejections, Role: BudgetRejections, Dependency: dep},
			{Metric: contract.Replays, Role: Replays, Dependency: dep, Operation: op},
		},
	}
}
