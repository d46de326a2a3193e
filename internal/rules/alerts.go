package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// The alerts, by their names.
const (
	RetryAttemptsPerRequestHigh = "RetryAttemptsPerRequestHigh"
	FirstAttemptSuccessBurn     = "FirstAttemptSuccessBurn"
	RetryMaskedFailure          = "RetryMaskedFailure"
	RetryDeadlineExhausted      = "RetryDeadlineExhausted"
	RetryBudgetRejecting        = "RetryBudgetRejecting"
	RetryIneffective            = "RetryIneffective"
	RetryTelemetryAbsent        = "RetryTelemetryAbsent"
	RetryCardinalityOverflow    = "RetryCardinalityOverflow"
)

// windowLabel tells the burn-rate alerts apart.
const windowLabel = "window"

// AlertPattern matches the names of the alerts, as a regular expression.
const AlertPattern = "Retry.+|FirstAttemptSuccessBurn"

// Alerts returns the names of all alerts.
func Alerts() []string {
	return append(perOperation(), RetryBudgetRejecting, RetryTelemetryAbsent, RetryCardinalityOverflow)
}

// perOperation are the alerts that look at one operation at a time.
func perOperation() []string {
	return []string{RetryAttemptsPerRequestHigh, FirstAttemptSuccessBurn, RetryMaskedFailure, RetryDeadlineExhausted, RetryIneffective}
}

// condition is an alert about one operation at a time.
type condition struct {
	alert       string
	severity    string
	wait        model.Duration
	window      string // the value of windowLabel, if any
	guard       model.Duration
	needs       func(Thresholds) []float64 // the thresholds that it depends on
	expr        func(Thresholds, func(record string) string) string
	summary     string
	description func(Thresholds) string
}

// key is equal for thresholds that make the same rule.
func (c *condition) key(t Thresholds) []float64 { return append(c.needs(t), *t.MinRequestRate) }

func (s *Settings) alerts() []Rule {
	var out []Rule
	for _, c := range append(s.conditions(), s.burnConditions()...) {
		if !slices.Contains(s.Off, c.alert) {
			out = append(out, s.perOperation(c)...)
		}
	}
	for _, r := range []Rule{s.budgetRejecting(), s.telemetryAbsent(), s.cardinalityOverflow()} {
		if !slices.Contains(s.Off, r.Alert) {
			out = append(out, r)
		}
	}
	return out
}

func (s *Settings) conditions() []condition {
	w := s.Window.String()
	attempts := func(severity string, wait model.Duration, limit func(Thresholds) float64) condition {
		return condition{
			alert: RetryAttemptsPerRequestHigh, severity: severity, wait: wait, guard: s.Window,
			needs: func(t Thresholds) []float64 { return []float64{limit(t)} },
			expr: func(t Thresholds, of func(string) string) string {
				return of(record("attempts_per_request", w)) + " > " + number(limit(t))
			},
			summary: s.what() + " takes {{ printf \"%.3g\" $value }} attempts per request",
			description: func(t Thresholds) string {
				return fmt.Sprintf("Over %s each request of %s has cost its dependency {{ printf \"%%.3g\" $value }} attempts; the limit is %s for %s. "+
					"The dependency is failing first attempts, and retries are adding to its load.", w, s.what(), number(limit(t)), wait)
			},
		}
	}
	return []condition{
		attempts(Ticket, s.For.AttemptsTicket, func(t Thresholds) float64 { return *t.AttemptsTicket }),
		attempts(Page, s.For.AttemptsPage, func(t Thresholds) float64 { return *t.AttemptsPage }),
		{
			alert: RetryMaskedFailure, severity: Ticket, wait: s.For.MaskedFailure, guard: s.Window,
			needs: func(t Thresholds) []float64 { return []float64{*t.MaskedFailure} },
			expr: func(t Thresholds, of func(string) string) string {
				return of(record("masked_failure", w)) + " > " + number(*t.MaskedFailure)
			},
			summary: "Retries hide that {{ $value | humanizePercentage }} of the requests of " + s.what() + " fail at first",
			description: func(t Thresholds) string {
				return fmt.Sprintf("Over %s {{ $value | humanizePercentage }} of the requests of %s failed on their first attempt and were saved by a retry; "+
					"the limit is %s of them for %s. Callers see success, and latency; the dependency is worse than its success rate looks.",
					w, s.what(), percent(*t.MaskedFailure), s.For.MaskedFailure)
			},
		},
		{
			alert: RetryDeadlineExhausted, severity: Ticket, wait: s.For.DeadlineShare, guard: s.Window,
			needs: func(t Thresholds) []float64 { return []float64{*t.DeadlineShare} },
			expr: func(t Thresholds, of func(string) string) string {
				return of(record("deadline_share", w)) + " > " + number(*t.DeadlineShare)
			},
			summary: "{{ $value | humanizePercentage }} of the requests of " + s.what() + " run out of time",
			description: func(t Thresholds) string {
				return fmt.Sprintf("Over %s {{ $value | humanizePercentage }} of the requests of %s ended because their deadline would pass, with attempts left; "+
					"the limit is %s for %s.", w, s.what(), percent(*t.DeadlineShare), s.For.DeadlineShare)
			},
		},
		{
			alert: RetryIneffective, severity: Ticket, wait: s.For.RetrySuccess, guard: s.Window,
			needs: func(t Thresholds) []float64 { return []float64{*t.RetrySuccess, *t.MinRetries} },
			expr: func(t Thresholds, of func(string) string) string {
				return of(record("retry_success", w)) + " < " + number(*t.RetrySuccess) +
					"\nand " + of(record("retry_ratio", w)) + " >= " + number(*t.MinRetries)
			},
			summary: "Only {{ $value | humanizePercentage }} of the retried requests of " + s.what() + " succeed",
			description: func(t Thresholds) string {
				return fmt.Sprintf("Over %s {{ $value | humanizePercentage }} of the requests of %s that were retried succeeded in the end; "+
					"below %s for %s, retries mostly add load to a dependency that can't use it.", w, s.what(), percent(*t.RetrySuccess), s.For.RetrySuccess)
			},
		},
	}
}

// burnConditions ask, for each pair of windows, whether first attempts fail
// so often that the error budget of the objective is used up factor times as
// fast as it lasts. The long window says that it matters, the short one that
// it still goes on.
func (s *Settings) burnConditions() []condition {
	var out []condition
	for _, b := range s.Burn {
		limit := func(t Thresholds) string { return number(b.Factor) + " * " + number(1-*t.Objective) }
		failing := func(window model.Duration, of func(string) string) string {
			return "1 - " + of(record("first_attempt_success", window.String()))
		}
		out = append(out, condition{
			// The short window lies within the long one, so that enough
			// requests in the short one are enough in both.
			alert: FirstAttemptSuccessBurn, severity: b.Severity, window: b.Long.String(), guard: b.Short,
			needs: func(t Thresholds) []float64 { return []float64{*t.Objective} },
			expr: func(t Thresholds, of func(string) string) string {
				return failing(b.Long, of) + " > " + limit(t) + "\nand " + failing(b.Short, of) + " > " + limit(t)
			},
			summary: "{{ $value | humanizePercentage }} of the first attempts of " + s.what() + " fail",
			description: func(t Thresholds) string {
				return fmt.Sprintf("Over %s {{ $value | humanizePercentage }} of the requests of %s did not succeed on their first attempt, and over %s it goes on: "+
					"more than %s times what the objective of %s allows.", b.Long, s.what(), b.Short, number(b.Factor), percent(*t.Objective))
			},
		})
	}
	return out
}

// perOperation writes a condition once for all operations, and once more for
// each that has thresholds of its own, which the first then leaves out.
func (s *Settings) perOperation(c condition) []Rule {
	requests := record("requests", c.guard.String())
	rule := func(t Thresholds, of func(string) string, labels map[string]string) Rule {
		if c.window != "" {
			labels[windowLabel] = c.window
		}
		return s.alert(c.alert, c.severity, c.wait,
			c.expr(t, of)+"\nand "+of(requests)+" >= "+number(*t.MinRequestRate), labels, c.summary, c.description(t))
	}

	general := rule(s.Thresholds, func(record string) string { return record }, map[string]string{})
	var own []Rule
	for _, op := range s.Operations {
		t := op.Thresholds.Over(s.Thresholds)
		off := slices.Contains(op.Off, c.alert)
		if !off && slices.Equal(c.key(t), c.key(s.Thresholds)) {
			continue
		}
		of := func(record string) string { return promname.Selector(record, s.matchOperation(op)...) }
		general.Expr += "\nunless on (" + s.label(contract.AttrDependency) + ", " + s.label(contract.AttrOperation) + ") " + of(requests)
		if !off {
			// The alert has these labels anyway; written down they tell the
			// rules of one alert apart.
			own = append(own, rule(t, of, map[string]string{
				s.Naming.Label(contract.AttrDependency): op.Dependency,
				s.Naming.Label(contract.AttrOperation):  op.Operation,
			}))
		}
	}
	return append([]Rule{general}, own...)
}

func (s *Settings) budgetRejecting() Rule {
	w := s.Window.String()
	by := []string{s.label(contract.AttrDependency)}
	for _, label := range s.By {
		by = append(by, s.label(label))
	}
	dependency := s.value(contract.AttrDependency)
	return s.alert(RetryBudgetRejecting, Ticket, s.For.BudgetReject,
		record("budget_rejections", w)+" > "+number(*s.BudgetRejecting)+
			"\nand sum by ("+strings.Join(by, ", ")+") ("+record("requests", w)+") >= "+number(*s.MinRequestRate),
		nil,
		"The retry budget of "+dependency+" refuses {{ printf \"%.2g\" $value }} retries a second",
		fmt.Sprintf("Over %s the retry budget of %s refused {{ printf \"%%.2g\" $value }} retries a second, for %s. "+
			"So many requests fail that retrying them all would overload the dependency; the refused ones fail at once.", w, dependency, s.For.BudgetReject))
}

// telemetryAbsent misses everything, each operation that had series not long
// ago, and each that is known by name.
func (s *Settings) telemetryAbsent() Rule {
	q := s.query(s.Window)
	series := q.Series(contract.Requests)
	by := []string{s.label(contract.AttrDependency), s.label(contract.AttrOperation)}
	for _, label := range s.By {
		by = append(by, s.label(label))
	}
	count := "count by (" + strings.Join(by, ", ") + ") "
	parts := []string{
		"absent(" + series + ")",
		count + "(last_over_time(" + series + "[" + s.For.Remember.String() + "])) unless " + count + "(" + series + ")",
	}
	for _, op := range s.Operations {
		q.Matchers, q.OperationMatchers = s.Selectors, s.matchOperation(op)
		parts = append(parts, "absent("+q.Series(contract.Requests)+")")
	}
	dependency, operation := s.value(contract.AttrDependency), s.value(contract.AttrOperation)
	which := s.ifValue(contract.AttrOperation, operation+" ("+dependency+")", "any operation")
	return s.alert(RetryTelemetryAbsent, Ticket, s.For.Absent, strings.Join(parts, "\nor "), nil,
		"No retry telemetry of "+which,
		fmt.Sprintf("There are no series %s of %s, for %s. Every other alert about it is silent for as long as that is so. "+
			"An operation that was removed is missed for %s.", s.Naming.Metric(contract.Requests), which, s.For.Absent, s.For.Remember))
}

// cardinalityOverflow asks for series that the SDK or the wrapper folded into
// one because there were too many.
func (s *Settings) cardinalityOverflow() Rule {
	by := []string{"job"}
	for _, label := range s.By {
		if label != "job" {
			by = append(by, s.label(label))
		}
	}
	count := "count by (" + strings.Join(by, ", ") + ") "
	q := s.query(s.Window)
	q.OperationMatchers = nil // what overflowed has lost its name
	q.Matchers = s.Selectors
	name := strings.ReplaceAll(s.Naming.Label("otelretry."), ".", "[.]") + ".+"
	overflowed := append([]string{"__name__=~" + quote(name), s.Naming.Match(contract.AttrOverflow, "=", "true")}, s.Selectors...)
	return s.alert(RetryCardinalityOverflow, Ticket, 0,
		count+"({"+strings.Join(overflowed, ",")+"})\nor "+count+"("+q.Series(contract.Requests, q.Match(contract.AttrOperation, "=", contract.Other))+")",
		nil,
		"Retry telemetry of {{ $labels.job }} is folded together",
		"{{ $value }} series of {{ $labels.job }} hold what did not fit under the limit of series per metric. "+
			"The figures of single operations are incomplete until it restarts with fewer operation or error names.")
}

func (s *Settings) alert(name, severity string, wait model.Duration, expr string, labels map[string]string, summary, description string) Rule {
	all := map[string]string{"severity": s.Severities[severity]}
	maps.Copy(all, s.Labels)
	maps.Copy(all, labels)
	return Rule{
		Alert: name, Expr: expr, For: wait, Labels: all,
		Annotations: map[string]string{
			"summary": summary, "description": description,
			"runbook_url": strings.TrimSuffix(s.RunbookURL, "/") + "/" + name + ".md",
		},
	}
}

func (s *Settings) matchOperation(op Operation) []string {
	return []string{
		s.Naming.Match(contract.AttrDependency, "=", op.Dependency),
		s.Naming.Match(contract.AttrOperation, "=", op.Operation),
	}
}

func record(id, window string) string { return figure(id).RecordName(window) }

func (s *Settings) label(attr string) string { return s.Naming.QuoteLabel(attr) }

// value writes an attribute of the alert into a template.
func (s *Settings) value(attr string) string { return "{{ " + s.templateLabel(attr) + " }}" }

func (s *Settings) ifValue(attr, then, otherwise string) string {
	return "{{ if " + s.templateLabel(attr) + " }}" + then + "{{ else }}" + otherwise + "{{ end }}"
}

func (s *Settings) templateLabel(attr string) string {
	if s.Naming.UTF8() {
		return "index $labels " + quote(attr)
	}
	return "$labels." + s.Naming.Label(attr)
}

// what names the operation of an alert.
func (s *Settings) what() string {
	return s.value(contract.AttrOperation) + " (" + s.value(contract.AttrDependency) + ")"
}

func quote(text string) string { return fmt.Sprintf("%q", text) }

func percent(share float64) string { return number(share*100) + " %" }
