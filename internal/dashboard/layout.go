// Package dashboard writes a dashboard of the retry figures for Grafana and
// for Perses. The layout is described once, in terms of figures; each product
// has a renderer.
package dashboard

import (
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// Title, UID and Tags name the dashboard.
const (
	Title = "Retries"
	UID   = "retrykit"
)

// The variables of the dashboard, as both products write them in queries.
const (
	varDependency = "dependency"
	varOperation  = "operation"
	varWindow     = "window"
	varPrometheus = "prometheus"
	varTraces     = "traces"
)

// windows are the choices of the variable window.
var windows = []string{"1m", "5m", "15m", "1h", "6h", "1d"}

// row is a group of panels under one heading.
type row struct {
	title  string
	panels []panel
}

type kind int

const (
	lines  kind = iota // over time
	table              // now, a row per dependency or operation
	states             // of the alerts over time
)

// panel shows some figures.
type panel struct {
	title, help string
	kind        kind
	width       int // of 24
	unit        figures.Unit
	series      []series
	limits      []limit
	exemplars   bool // points of single requests, linked to their traces
	atLeast     bool // limits are the least that is good, and not the most
}

// series is one query of a panel.
type series struct {
	title  string
	query  string
	legend []string // attributes and labels that tell its lines apart
	unit   figures.Unit
}

// limit is the threshold of an alert.
type limit struct {
	value    float64
	severity string
}

// layout is the dashboard: by dependency first, by operation then.
type layout struct {
	settings rules.Settings
	rows     []row
}

func newLayout(s rules.Settings) layout {
	l := layout{settings: s}
	l.rows = []row{l.overview(), l.byDependency(), l.byOperation(), l.time(), l.limits()}
	return l
}

// What the panels of a row are broken down by.
var (
	dependencies = []string{contract.AttrDependency}
	operations   = []string{contract.AttrDependency, contract.AttrOperation}
)

// query is how a figure is asked for in a panel: over the window, the
// dependencies and the operations that are chosen.
func (l layout) query(by []string) figures.Query {
	s := l.settings
	q := figures.Query{Naming: s.Naming, Native: s.Native, Window: "$" + varWindow, By: append([]string{}, by...)}
	q.By = append(q.By, s.By...)
	q.Matchers = append(append([]string{}, s.Selectors...), q.Match(contract.AttrDependency, "=~", "$"+varDependency))
	q.OperationMatchers = []string{q.Match(contract.AttrOperation, "=~", "$"+varOperation)}
	return q
}

// figure is the series of one figure.
func (l layout) figure(id string, by []string) series {
	f := find(id)
	if perDependency(id) {
		by = dependencies
	}
	legend := append(append([]string{}, by...), l.settings.By...)
	if f.ByClass {
		legend = append(legend, contract.AttrErrorType)
	}
	return series{title: f.Title, query: f.PromQL(l.query(by)), legend: legend, unit: f.Unit}
}

// find returns a figure that this package names itself.
func find(id string) figures.Figure {
	f, ok := figures.Find(id)
	if !ok {
		panic("dashboard: no figure " + id)
	}
	return f
}

// perDependency says that a figure has no operation.
func perDependency(id string) bool { return strings.HasPrefix(id, "budget_") && id != "budget_share" }

// panel shows figures of one unit over time.
func (l layout) panel(title string, width int, by []string, ids ...string) panel {
	p := panel{title: title, width: width, unit: find(ids[0]).Unit}
	var help []string
	for _, id := range ids {
		s, f := l.figure(id, by), find(id)
		if len(ids) == 1 {
			s.title = "" // the labels alone tell its lines apart
			help = append(help, strings.ToUpper(f.Help[:1])+f.Help[1:]+".")
		} else {
			help = append(help, f.Title+": "+f.Help+".")
		}
		p.series = append(p.series, s)
	}
	p.help = strings.Join(help, "\n")
	return p
}

func (p panel) with(change func(*panel)) panel {
	change(&p)
	return p
}

func (l layout) overview() row {
	in := dependencies
	t := panel{
		title: "Dependencies", kind: table, width: 24,
		help: "What retries cost per dependency, over the window.",
	}
	for _, id := range []string{"requests", "attempts_per_request", "first_attempt_success", "eventual_success", "masked_failure", "retry_success", "added_latency"} {
		t.series = append(t.series, l.figure(id, in))
	}
	return row{"Overview", []panel{l.alerts(), t}}
}

// alerts shows 2 for firing, 1 for pending, and 0 when there is none.
func (l layout) alerts() panel {
	n := l.settings.Naming
	by := []string{"alertname", "severity", n.QuoteLabel(contract.AttrDependency), n.QuoteLabel(contract.AttrOperation)}
	state := func(state string) string {
		return "max by (" + strings.Join(by, ", ") + ") (" + promname.Selector("ALERTS",
			"alertname=~"+`"`+rules.AlertPattern+`"`, `alertstate="`+state+`"`,
			n.Match(contract.AttrDependency, "=~", "$"+varDependency+"|")) + ")"
	}
	return panel{
		title: "Alerts", kind: states, width: 24,
		help: "The alerts that `retrystat rules` writes: pending, and firing.",
		series: []series{{
			query: state("firing") + " * 2 or " + state("pending") +
				` or label_replace(vector(0), "alertname", "none", "", "")`,
			legend: []string{"alertname", "severity", contract.AttrDependency, contract.AttrOperation},
		}},
	}
}

func (l layout) byDependency() row {
	in := dependencies
	return row{"By dependency", []panel{
		l.panel("Attempts per request", 12, in, "attempts_per_request").with(l.attemptLimits),
		l.panel("First-attempt against eventual success", 12, in, "first_attempt_success", "eventual_success").with(l.objective),
	}}
}

func (l layout) byOperation() row {
	in := operations
	return row{"By operation", []panel{
		l.panel("Attempts per request", 12, in, "attempts_per_request").with(l.attemptLimits),
		l.panel("First-attempt against eventual success", 12, in, "first_attempt_success", "eventual_success").with(l.objective),
		l.panel("Failures that retries hide", 8, in, "masked_failure").with(func(p *panel) {
			p.limits = []limit{{*l.settings.MaskedFailure, rules.Ticket}}
		}),
		l.panel("Retries per request by error class", 8, in, "retry_ratio_by_class"),
		l.panel("Retry success by error class", 8, in, "retry_success_by_class").with(func(p *panel) {
			p.limits, p.atLeast = []limit{{*l.settings.RetrySuccess, rules.Ticket}}, true
		}),
		l.panel("Requests", 12, in, "requests"),
		l.panel("Attempts", 12, in, "attempts"),
	}}
}

func (l layout) time() row {
	in := operations
	traced := func(p *panel) { p.exemplars = true }
	return row{"Time", []panel{
		l.panel("Latency added per request", 8, in, "added_latency"),
		l.panel("Latency added to retried requests", 8, in, "added_latency_p50", "added_latency_p95", "added_latency_p99").with(traced),
		l.panel("Request duration", 8, in, "request_duration_p50", "request_duration_p95", "request_duration_p99").with(traced),
	}}
}

func (l layout) limits() row {
	in := operations
	return row{"Limits", []panel{
		l.panel("Deadline exceeded", 8, in, "deadline_share").with(func(p *panel) {
			p.limits = []limit{{*l.settings.DeadlineShare, rules.Ticket}}
		}),
		l.panel("Given up for other reasons", 8, in, "attempts_exhausted_share", "not_retryable_share", "budget_share", "breaker_share", "pushback_share", "cancel_share"),
		l.panel("Attempts in flight", 8, in, "attempts_in_flight"),
		l.panel("Retries refused by the budget", 8, in, "budget_rejections"),
		l.panel("Budget used", 8, in, "budget_utilization"),
		l.panel("Idempotent replays", 8, in, "idempotency_replays"),
	}}
}

func (l layout) attemptLimits(p *panel) {
	p.limits = []limit{{*l.settings.AttemptsTicket, rules.Ticket}, {*l.settings.AttemptsPage, rules.Page}}
}

func (l layout) objective(p *panel) {
	p.limits, p.atLeast = []limit{{*l.settings.Objective, rules.Ticket}}, true
}

// legend writes what tells the lines of a series apart, in the templates that
// both products share.
func (l layout) legend(s series) string {
	var parts []string
	for _, attr := range s.legend {
		parts = append(parts, "{{"+l.settings.Naming.Label(attr)+"}}")
	}
	text := strings.Join(parts, " ")
	if s.title != "" {
		text += " " + strings.ToLower(s.title[:1]) + s.title[1:]
	}
	return text
}

// Queries returns every query of the dashboard by the title of its panel, with
// the variables filled in: all dependencies and operations, and the window.
// It is for checking that they parse and find something.
func Queries(s rules.Settings, window string) map[string][]string {
	fill := strings.NewReplacer(
		"$"+varDependency, ".*", "$"+varOperation, ".*", "$"+varWindow, window)
	out := map[string][]string{}
	for _, r := range newLayout(s).rows {
		for _, p := range r.panels {
			for _, q := range p.series {
				out[r.title+": "+p.title] = append(out[r.title+": "+p.title], fill.Replace(q.query))
			}
		}
	}
	return out
}
