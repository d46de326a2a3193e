package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
)

// Settings say which rules to write. Start from Default.
type Settings struct {
	Naming    promname.Naming `yaml:"naming"`                      // how the server names the metrics
	Native    bool            `yaml:"native_histograms,omitempty"` // histograms are stored as native ones
	Selectors []string        `yaml:"selectors,omitempty"`         // matchers of every query, such as job="checkout"
	By        []string        `yaml:"by,omitempty"`                // labels to keep besides dependency and operation
	Window    model.Duration  `yaml:"window"`                      // of the figures
	Interval  model.Duration  `yaml:"interval,omitempty"`          // evaluation interval; 0 leaves it to the server

	Thresholds `yaml:"thresholds"`
	For        Waits        `yaml:"for"`
	Burn       []BurnWindow `yaml:"burn"`
	Off        []string     `yaml:"off,omitempty"` // alerts not to write

	// Operations are known by name: each is missed when it has no series, and
	// may have thresholds of its own. Only says that there are no others.
	Operations []Operation `yaml:"operations,omitempty"`
	Only       bool        `yaml:"only_these_operations,omitempty"`

	RunbookURL string            `yaml:"runbook_url"`      // folder that holds one page per alert
	Severities map[string]string `yaml:"severities"`       // the values of the label severity for page and ticket
	Labels     map[string]string `yaml:"labels,omitempty"` // of every alert
}

// Thresholds are the limits of the alerts; nil in an Operation stands for the
// one of all.
type Thresholds struct {
	MinRequestRate  *float64 `yaml:"min_request_rate,omitempty"`      // requests/s below which no alert fires
	AttemptsTicket  *float64 `yaml:"attempts_ticket,omitempty"`       // attempts per request
	AttemptsPage    *float64 `yaml:"attempts_page,omitempty"`         // attempts per request
	Objective       *float64 `yaml:"first_attempt_success,omitempty"` // the objective, a share of the requests
	MaskedFailure   *float64 `yaml:"masked_failure,omitempty"`        // share of the requests
	DeadlineShare   *float64 `yaml:"deadline_share,omitempty"`        // share of the requests
	RetrySuccess    *float64 `yaml:"retry_success,omitempty"`         // share of the retried requests
	MinRetries      *float64 `yaml:"min_retries,omitempty"`           // retries per request below which RetryIneffective is silent
	BudgetRejecting *float64 `yaml:"budget_rejections,omitempty"`     // rejections/s, per dependency
}

// Waits are how long a condition holds before its alert fires.
type Waits struct {
	AttemptsTicket model.Duration `yaml:"attempts_ticket"`
	AttemptsPage   model.Duration `yaml:"attempts_page"`
	MaskedFailure  model.Duration `yaml:"masked_failure"`
	DeadlineShare  model.Duration `yaml:"deadline_share"`
	BudgetReject   model.Duration `yaml:"budget_rejections"`
	RetrySuccess   model.Duration `yaml:"retry_success"`
	Absent         model.Duration `yaml:"absent"`
	Remember       model.Duration `yaml:"remember"` // how long a vanished operation is missed
}

// BurnWindow is one pair of windows of the burn-rate alert.
type BurnWindow struct {
	Long     model.Duration `yaml:"long"`
	Short    model.Duration `yaml:"short"`
	Factor   float64        `yaml:"factor"` // of the error budget's even use
	Severity string         `yaml:"severity"`
}

// Operation is an operation with thresholds of its own.
type Operation struct {
	Dependency string   `yaml:"dependency"`
	Operation  string   `yaml:"operation"`
	Off        []string `yaml:"off,omitempty"`
	Thresholds `yaml:",inline"`
}

// The severities, before Settings.Severities names them otherwise.
const (
	Page   = "page"
	Ticket = "ticket"
)

// DefaultRunbookURL is where the runbooks of this repository are read.
const DefaultRunbookURL = "https://github.com/retrykit/retrykit/blob/main/docs/runbooks"

// Default returns the thresholds, windows and waits of the telemetry contract.
//
// 1.10 attempts per request are the 10 % retry budget of Google's SRE book,
// 1.20 the 20 % of Envoy, Finagle and failsafe-go; the burn rates and their
// windows are those of the SRE workbook.
func Default() Settings {
	const minute, hour, day = time.Minute, time.Hour, 24 * time.Hour
	value := func(v float64) *float64 { return &v }
	return Settings{
		Naming: promname.UnderscoreEscapingWithSuffixes,
		Window: model.Duration(5 * minute),
		Thresholds: Thresholds{
			MinRequestRate: value(1), AttemptsTicket: value(1.10), AttemptsPage: value(1.20), Objective: value(0.99),
			MaskedFailure: value(0.05), DeadlineShare: value(0.01), RetrySuccess: value(0.5), MinRetries: value(0.01),
			BudgetRejecting: value(0),
		},
		For: Waits{
			AttemptsTicket: model.Duration(10 * minute), AttemptsPage: model.Duration(5 * minute),
			MaskedFailure: model.Duration(15 * minute), DeadlineShare: model.Duration(10 * minute),
			BudgetReject: model.Duration(10 * minute), RetrySuccess: model.Duration(15 * minute),
			Absent: model.Duration(10 * minute), Remember: model.Duration(hour),
		},
		Burn: []BurnWindow{
			{model.Duration(hour), model.Duration(5 * minute), 14.4, Page},
			{model.Duration(6 * hour), model.Duration(30 * minute), 6, Page},
			{model.Duration(day), model.Duration(2 * hour), 3, Ticket},
			{model.Duration(3 * day), model.Duration(6 * hour), 1, Ticket},
		},
		RunbookURL: DefaultRunbookURL,
		Severities: map[string]string{Page: Page, Ticket: Ticket},
	}
}

// maxSettings bounds a settings file, in bytes.
const maxSettings = 1 << 20

// Read reads settings in YAML, 1 MiB at most, over s, which keeps what they do
// not name. Unknown names are an error. On an error s is as it was.
func (s *Settings) Read(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, maxSettings+1))
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	if len(data) > maxSettings {
		return errors.New("read settings: the file is longer than 1 MiB, which is more than settings take")
	}
	out := *s
	out.Thresholds = s.Thresholds.Over(Thresholds{}) // YAML is decoded into what pointers point to
	out.Severities = map[string]string{}
	for k, v := range s.Severities {
		out.Severities[k] = v
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&out); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read settings: %w", plainYAML(err))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return errors.New("read settings: there is more than one YAML document, and one is read")
	}
	naming, err := promname.Parse(string(out.Naming))
	if err != nil {
		return fmt.Errorf("read settings: %w", err)
	}
	out.Naming = naming
	*s = out
	return nil
}

// maxScale turns the longest default window, three days, into eight years. Beyond
// some 35 000 it would no longer be a Duration.
const maxScale = 1000.0

// Scale multiplies every window and wait, to try the rules out in minutes
// instead of hours, by a factor of at most 1000. None becomes shorter than a
// second, or longer than 100 years.
func (s *Settings) Scale(factor float64) error {
	if !(factor > 0) || factor > maxScale {
		return fmt.Errorf("time scale %v: it must be more than 0, and at most %d", factor, int(maxScale))
	}
	const longest = 100 * 365 * 24 * time.Hour
	scale := func(ds ...*model.Duration) {
		for _, d := range ds {
			if *d > 0 {
				scaled := time.Duration(min(float64(*d)*factor, float64(longest))).Round(time.Second)
				*d = model.Duration(max(scaled, time.Second))
			}
		}
	}
	w := &s.For
	scale(&s.Window, &w.AttemptsTicket, &w.AttemptsPage, &w.MaskedFailure, &w.DeadlineShare, &w.BudgetReject,
		&w.RetrySuccess, &w.Absent, &w.Remember)
	s.Burn = slices.Clone(s.Burn)
	for i := range s.Burn {
		scale(&s.Burn[i].Long, &s.Burn[i].Short)
	}
	return nil
}

var (
	matcher   = regexp.MustCompile(`^\s*([a-zA-Z_][a-zA-Z0-9_]*|"(?:[^"\\]|\\.)+")\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*$`)
	labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	attribute = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_./-]*$`) // a label, or what one is made from
)

// Validate says everything that is wrong with the settings.
func (s *Settings) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	if _, err := promname.Parse(string(s.Naming)); err != nil {
		errs = append(errs, err)
	}
	for _, sel := range s.Selectors {
		m := matcher.FindStringSubmatch(sel)
		if m == nil {
			bad(`selector %q: write it as label="value", with =, !=, =~ or !~`, sel)
		} else if strings.HasSuffix(m[2], "~") {
			if _, err := regexp.Compile(m[3]); err != nil {
				bad("selector %q: %w", sel, err)
			}
		}
	}
	for _, label := range s.By {
		if !attribute.MatchString(label) || label == "le" {
			bad("by %q: name a label such as job, or an attribute such as k8s.namespace.name", label)
		}
	}
	for label := range s.Labels {
		if !labelName.MatchString(label) || label == "severity" || label == windowLabel {
			bad("label %q: it can't be set", label)
		}
	}
	if s.Window < model.Duration(time.Second) {
		bad("window %s: it must be a second at least", s.Window)
	}
	errs = append(errs, s.validateBurn()...)
	errs = append(errs, s.Thresholds.validate("", true)...)
	errs = append(errs, s.Thresholds.validateBurn("", s.Burn)...)
	for _, name := range s.Off {
		if !slices.Contains(Alerts(), name) {
			bad("off: there is no alert %q; the alerts are %s", name, strings.Join(Alerts(), ", "))
		}
	}
	errs = append(errs, s.validateOperations()...)
	for _, severity := range []string{Page, Ticket} {
		if s.Severities[severity] == "" {
			bad("severity %s has no name", severity)
		}
	}
	if s.Severities[Page] == s.Severities[Ticket] {
		bad("the severities page and ticket are both called %q: their alerts could not be told apart", s.Severities[Page])
	}
	if u, err := url.Parse(s.RunbookURL); err != nil || u.Scheme == "" {
		bad("runbook URL %q: it must be a complete URL", s.RunbookURL)
	}
	return errors.Join(errs...)
}

func (s *Settings) validateBurn() (errs []error) {
	seen := map[model.Duration]bool{}
	for _, b := range s.Burn {
		switch {
		case b.Short <= 0 || b.Long <= b.Short:
			errs = append(errs, fmt.Errorf("burn window %s and %s: the long one must be longer than the short one", b.Long, b.Short))
		case b.Factor <= 0:
			errs = append(errs, fmt.Errorf("burn window %s: the factor %v must be more than 0", b.Long, b.Factor))
		case b.Severity != Page && b.Severity != Ticket:
			errs = append(errs, fmt.Errorf("burn window %s: the severity %q must be page or ticket", b.Long, b.Severity))
		case seen[b.Long]:
			errs = append(errs, fmt.Errorf("burn window %s: it is there twice", b.Long))
		}
		seen[b.Long] = true
	}
	return errs
}

func (s *Settings) validateOperations() (errs []error) {
	if s.Only && len(s.Operations) == 0 {
		errs = append(errs, errors.New("only these operations: none is named"))
	}
	seen := map[[2]string]bool{}
	for _, op := range s.Operations {
		name := op.Dependency + "/" + op.Operation
		if op.Dependency == "" || op.Operation == "" {
			errs = append(errs, fmt.Errorf("operation %q: name the dependency and the operation", name))
		}
		if key := [2]string{op.Dependency, op.Operation}; seen[key] {
			errs = append(errs, fmt.Errorf("operation %s: it is there twice", name))
		} else {
			seen[key] = true
		}
		if op.BudgetRejecting != nil {
			errs = append(errs, fmt.Errorf("operation %s: budget_rejections are counted per dependency, not per operation", name))
		}
		for _, off := range op.Off {
			if !slices.Contains(perOperation(), off) {
				errs = append(errs, fmt.Errorf("operation %s: off: %q is not one of %s", name, off, strings.Join(perOperation(), ", ")))
			}
		}
		merged := op.Thresholds.Over(s.Thresholds)
		errs = append(errs, merged.validate("operation "+name+": ", false)...)
		errs = append(errs, merged.validateBurn("operation "+name+": ", s.Burn)...)
	}
	return errs
}

func (t Thresholds) validate(where string, budget bool) (errs []error) {
	within := func(name string, v *float64, lo, hi float64) {
		if v == nil || math.IsNaN(*v) || *v < lo || *v > hi {
			shown := "missing"
			if v != nil {
				shown = number(*v)
			}
			errs = append(errs, fmt.Errorf("%s%s is %s: it must be from %s to %s", where, name, shown, number(lo), number(hi)))
		}
	}
	const most = 1e9
	within("min_request_rate", t.MinRequestRate, 0, most)
	within("attempts_ticket", t.AttemptsTicket, 1, 1000)
	within("attempts_page", t.AttemptsPage, 1, 1000)
	within("first_attempt_success", t.Objective, 0.5, 0.99999)
	within("masked_failure", t.MaskedFailure, 0, 0.999)
	within("deadline_share", t.DeadlineShare, 0, 0.999)
	within("retry_success", t.RetrySuccess, 0.001, 1)
	within("min_retries", t.MinRetries, 0, 1000)
	if budget {
		within("budget_rejections", t.BudgetRejecting, 0, most)
	}
	if t.AttemptsTicket != nil && t.AttemptsPage != nil && *t.AttemptsPage <= *t.AttemptsTicket {
		errs = append(errs, fmt.Errorf("%sattempts_page is %s: it must be more than attempts_ticket, %s",
			where, number(*t.AttemptsPage), number(*t.AttemptsTicket)))
	}
	return errs
}

// validateBurn refuses burn rates that no failure can reach.
func (t Thresholds) validateBurn(where string, burn []BurnWindow) (errs []error) {
	if t.Objective == nil {
		return nil
	}
	for _, b := range burn {
		if b.Factor*(1-*t.Objective) >= 1 {
			errs = append(errs, fmt.Errorf("%sburn window %s: %s times the failures that the objective %s allows are more than all requests",
				where, b.Long, number(b.Factor), number(*t.Objective)))
		}
	}
	return errs
}

// Over fills what t leaves open from base. The result shares no value with either.
func (t Thresholds) Over(base Thresholds) Thresholds {
	pick := func(own, of *float64) *float64 {
		if own == nil {
			own = of
		}
		if own == nil {
			return nil
		}
		value := *own
		return &value
	}
	return Thresholds{
		MinRequestRate:  pick(t.MinRequestRate, base.MinRequestRate),
		AttemptsTicket:  pick(t.AttemptsTicket, base.AttemptsTicket),
		AttemptsPage:    pick(t.AttemptsPage, base.AttemptsPage),
		Objective:       pick(t.Objective, base.Objective),
		MaskedFailure:   pick(t.MaskedFailure, base.MaskedFailure),
		DeadlineShare:   pick(t.DeadlineShare, base.DeadlineShare),
		RetrySuccess:    pick(t.RetrySuccess, base.RetrySuccess),
		MinRetries:      pick(t.MinRetries, base.MinRetries),
		BudgetRejecting: pick(t.BudgetRejecting, base.BudgetRejecting),
	}
}

// query is how every figure is asked for.
func (s *Settings) query(window model.Duration) figures.Query {
	q := figures.Query{
		Naming: s.Naming, Native: s.Native, Window: window.String(), Matchers: s.Selectors,
		By: append([]string{contract.AttrDependency, contract.AttrOperation}, s.By...),
	}
	if s.Only {
		var dependencies, operations []string
		for _, op := range s.Operations {
			dependencies = append(dependencies, regexp.QuoteMeta(op.Dependency))
			operations = append(operations, regexp.QuoteMeta(op.Operation))
		}
		q.Matchers = append(slices.Clone(q.Matchers), q.Match(contract.AttrDependency, "=~", alternatives(dependencies)))
		q.OperationMatchers = []string{q.Match(contract.AttrOperation, "=~", alternatives(operations))}
	}
	return q
}

func alternatives(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "|")
}

// number writes a threshold as people do: 0.01, not 0.010000000000000009.
func number(v float64) string { return fmt.Sprintf("%.10g", v) }
