package rules

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// testFile is a promtool unit test file.
type testFile struct {
	RuleFiles          []string       `yaml:"rule_files"`
	EvaluationInterval model.Duration `yaml:"evaluation_interval"`
	Tests              []unitTest     `yaml:"tests"`
}

type unitTest struct {
	Name        string         `yaml:"name"`
	Interval    model.Duration `yaml:"interval"`
	InputSeries []inputSeries  `yaml:"input_series"`
	Checks      []exprCheck    `yaml:"promql_expr_test"`
}

type inputSeries struct {
	Series string `yaml:"series"`
	Values string `yaml:"values"`
}

type exprCheck struct {
	Expr     string         `yaml:"expr"`
	EvalTime model.Duration `yaml:"eval_time"`
	Samples  []exprSample   `yaml:"exp_samples"`
}

type exprSample struct {
	Labels string  `yaml:"labels"`
	Value  float64 `yaml:"value"`
}

// WriteUnitTests writes unit tests for `promtool test rules` of the rules that
// the settings make and that the rule files hold: every alert in a test where it
// fires and in one where it does not, low traffic, restarts of counters,
// deploys and operations that disappear. They hold for the thresholds, waits
// and names of the settings.
func WriteUnitTests(w io.Writer, s Settings, ruleFiles, remarks []string) error {
	tests, err := unitTests(s, ruleFiles)
	if err != nil {
		return err
	}
	return write(w, remarks, tests)
}

func unitTests(s Settings, ruleFiles []string) (testFile, error) {
	if err := s.Validate(); err != nil {
		return testFile{}, err
	}
	labels, err := s.satisfy()
	if err != nil {
		return testFile{}, err
	}
	// Five samples in a window, as a server that scrapes every minute has.
	step := min(max((time.Duration(s.Window)/5).Truncate(time.Second), time.Second), time.Minute)
	f := testFile{RuleFiles: ruleFiles, EvaluationInterval: model.Duration(step)}
	for _, subject := range s.subjects() {
		subject.s, subject.labels, subject.step = &s, labels, step
		f.Tests = append(f.Tests, subject.tests()...)
	}
	return f, nil
}

// subject is an operation that tests are written for, with its thresholds.
type subject struct {
	Operation
	known  bool // it is named in the settings
	shared bool // another subject has the tests of all that they share
	s      *Settings
	labels []string // matchers that every series fulfils
	step   time.Duration
}

func (s *Settings) subjects() []subject {
	var out []subject
	if !s.Only {
		out = append(out, subject{Operation: Operation{
			Dependency: "example-dependency", Operation: "example-operation", Thresholds: s.Thresholds,
		}})
	}
	for _, op := range s.Operations {
		op.Thresholds = op.Thresholds.Over(s.Thresholds)
		out = append(out, subject{Operation: op, known: true, shared: !s.Only})
	}
	return out
}

// satisfy returns labels that fulfil the selectors and the grouping.
func (s *Settings) satisfy() ([]string, error) {
	values := map[string]string{"job": "example"}
	for _, label := range s.By {
		values[s.Naming.QuoteLabel(label)] = "example"
	}
	for _, sel := range s.Selectors {
		m := matcher.FindStringSubmatch(sel)
		value, ok := example(m[2], m[3])
		if !ok {
			return nil, fmt.Errorf("unit tests: no label value found that fulfils %q: write them without this selector", sel)
		}
		values[m[1]] = value
	}
	var out []string
	for label, value := range values {
		if value != "" {
			out = append(out, label+"="+quote(value))
		}
	}
	slices.Sort(out)
	return out, nil
}

func (t *subject) tests() []unitTest {
	worst := t.worst()
	all := []unitTest{t.lowTraffic(worst), t.disappears(worst)}
	for _, c := range append(t.s.conditions(), t.s.burnConditions()...) {
		if t.off(c.alert) || t.shared && slices.Equal(c.key(t.Thresholds), c.key(t.s.Thresholds)) {
			continue
		}
		all = append(all, t.fires(c))
	}
	if t.shared {
		return withChecks(all)
	}
	all = append(all, t.healthy(), t.blip(), t.resets(worst), t.deploy(worst))
	if !t.off(RetryBudgetRejecting) {
		rejections := t.load(1)
		rejections.rejections = *t.s.BudgetRejecting*1.5 + 1
		all = append(all, t.firesAndResolves(RetryBudgetRejecting, rejections, t.wait(t.s.For.BudgetReject),
			t.alertSeries(RetryBudgetRejecting, t.s.Severities[Ticket], "", contract.AttrDependency)))
	}
	if !t.off(RetryCardinalityOverflow) {
		all = append(all, t.overflow())
	}
	return withChecks(all)
}

func withChecks(tests []unitTest) []unitTest {
	return slices.DeleteFunc(tests, func(test unitTest) bool { return len(test.Checks) == 0 })
}

func (t *subject) off(alert string) bool {
	return slices.Contains(t.s.Off, alert) || slices.Contains(t.Off, alert)
}

// fires is a test in which the condition's alert fires and then resolves.
func (t *subject) fires(c condition) unitTest {
	var faulty load
	switch {
	case c.window != "":
		i := slices.IndexFunc(t.s.Burn, func(b BurnWindow) bool { return b.Long.String() == c.window })
		limit := t.s.Burn[i].Factor * (1 - *t.Objective)
		faulty = t.load(1 - above(limit, 1))
		faulty.exhausted = t.rate() - faulty.first
		faulty.retried(faulty.exhausted, 1)
	case c.alert == RetryAttemptsPerRequestHigh:
		extra := (*t.AttemptsTicket+*t.AttemptsPage)/2 - 1
		if c.severity == Page {
			extra = 2**t.AttemptsPage - *t.AttemptsTicket - 1
		}
		share := min(1, extra)
		faulty = t.load(1 - share)
		faulty.saved = t.rate() * share
		faulty.retried(faulty.saved, extra/share)
	case c.alert == RetryMaskedFailure:
		faulty = t.load(1 - above(*t.MaskedFailure, 1))
		faulty.saved = t.rate() - faulty.first
		faulty.retried(faulty.saved, 1)
	case c.alert == RetryDeadlineExhausted:
		faulty = t.load(1 - above(*t.DeadlineShare, 1))
		faulty.deadline = t.rate() - faulty.first
		faulty.retried(faulty.deadline, 1)
	case c.alert == RetryIneffective:
		share := min(1, max(0.2, *t.MinRetries*1.5))
		faulty = t.load(1 - share)
		faulty.saved = t.rate() * share * *t.RetrySuccess / 2
		faulty.exhausted = t.rate()*share - faulty.saved
		faulty.retried(t.rate()*share, max(1, *t.MinRetries*1.5/share))
	}
	name := c.alert + " " + c.severity
	if c.window != "" {
		name = c.alert + " over " + c.window
	}
	return t.firesAndResolves(name, faulty, t.wait(c.wait), t.series(c))
}

// firesAndResolves is a fault that begins and ends: the alert is silent
// before, fires in it, and is silent again after.
func (t *subject) firesAndResolves(name string, faulty load, wait int, alert string) unitTest {
	if strings.Contains(name, " over ") {
		// Long windows remember a fault for as long as they are; what a test
		// sees of them is that they fire. So much traffic that a few steps of
		// it are enough for the guard over any window.
		sim := t.simulate().run(faulty.times(float64(t.longestBurn())), wait+4)
		return t.test(name+" fires when first attempts fail", sim, firing(alert, sim.at(-1)))
	}
	calm := t.window() + 2
	sim := t.simulate().run(t.calm(), calm)
	before := sim.at(-1)
	sim.run(faulty, t.window()+wait+2)
	during := sim.at(-1)
	sim.run(t.calm(), t.window()+2)
	return t.test(name+" fires in a fault and resolves after it", sim, silent(alert, before), firing(alert, during), silent(alert, sim.at(-1)))
}

func (t *subject) healthy() unitTest {
	sim := t.simulate().run(t.calm(), t.longest()+t.window())
	return t.test("nothing fires while all is well", sim, silent(t.anyAlert(), sim.at(t.window())), silent(t.anyAlert(), sim.at(-1)))
}

// blip is a failure of everything that is too short for the long window.
func (t *subject) blip() unitTest {
	if len(t.s.Burn) == 0 || t.off(FirstAttemptSuccessBurn) {
		return unitTest{}
	}
	b := t.s.Burn[0]
	steps := min(int(time.Duration(b.Long)/t.step), 2000)
	const failing = 2
	if failing+1 >= int(float64(steps)*b.Factor*(1-*t.Objective)) {
		return unitTest{}
	}
	sim := t.simulate().run(t.calm(), steps).run(t.worst(), failing)
	return t.test("a short blip does not burn the budget", sim,
		silent(t.alertSeries(FirstAttemptSuccessBurn, t.s.Severities[b.Severity], b.Long.String(), contract.AttrDependency), sim.at(-1)))
}

func (t *subject) lowTraffic(worst load) unitTest {
	if *t.MinRequestRate == 0 {
		return unitTest{}
	}
	sim := t.simulate().run(worst.times(*t.MinRequestRate/2/t.rate()), t.longest()+t.window()+2)
	return t.test("nothing fires on low traffic, however bad", sim, silent(t.anyAlert(), sim.at(-1)))
}

// resets are counters that begin again at 0 while their series goes on.
func (t *subject) resets(worst load) unitTest {
	third := t.longest()/3 + t.window()
	sim := t.simulate()
	for range 3 {
		sim.run(t.calm(), third).restart()
	}
	checks := []exprCheck{silent(t.anyAlert(), sim.at(third+1)), silent(t.anyAlert(), sim.at(-1))}
	alert, wait := t.paging()
	if alert != "" {
		sim.run(worst, t.window()+wait).restart().run(worst, 2)
		checks = append(checks, firing(alert, sim.at(-1)))
	}
	return t.test("counters that reset neither raise nor hide an alert", sim, checks...)
}

// deploy replaces every instance at once, with a gap between the series of
// the old ones and those of the new ones.
func (t *subject) deploy(worst load) unitTest {
	running, gap := t.longest()+t.window(), 1
	if t.wait(t.s.For.Absent) > 3 {
		gap = 2
	}
	sim := t.simulate("old-1", "old-2").run(t.calm(), running)
	before := sim.at(-1)
	sim.stop().run(load{}, gap).start("new-1", "new-2").run(t.calm(), running)
	checks := []exprCheck{
		silent(t.anyAlert(), before), silent(t.anyAlert(), before+time.Duration(gap+3)*t.step), silent(t.anyAlert(), sim.at(-1)),
	}
	if alert, wait := t.paging(); alert != "" {
		sim.run(worst, t.window()+wait+2)
		checks = append(checks, firing(alert, sim.at(-1)))
	}
	return t.test("a deploy that restarts all raises no alert, and hides none", sim, checks...)
}

// disappears ends all series of an operation in the middle of its fault.
func (t *subject) disappears(worst load) unitTest {
	alert, wait := t.paging()
	sim := t.simulate().run(worst, t.window()+wait+2)
	var checks []exprCheck
	if alert != "" {
		checks = append(checks, firing(alert, sim.at(-1)))
	}
	absent := t.wait(t.s.For.Absent)
	sim.stop().run(load{}, t.window()+2) // rates go on for a window
	if alert != "" {
		checks = append(checks, silent(alert, sim.at(-1)))
	}
	if !t.off(RetryTelemetryAbsent) {
		missed := t.alertSeries(RetryTelemetryAbsent, t.s.Severities[Ticket], "", contract.AttrDependency, contract.AttrOperation)
		sim.run(load{}, absent+2)
		checks = append(checks, firing(missed, sim.at(-1)))
		if remember := t.wait(t.s.For.Remember); !t.known && remember > absent+t.window()+4 {
			sim.run(load{}, remember-absent-t.window())
			checks = append(checks, silent(missed, sim.at(-1)))
		}
	}
	return t.test("an operation that disappears ends its alerts and is missed itself", sim, checks...)
}

func (t *subject) overflow() unitTest {
	sim := t.simulate().run(t.calm(), t.window()+2)
	folded := append(slices.Clone(t.labels), t.s.Naming.Match(contract.AttrOverflow, "=", "true"))
	test := t.test("RetryCardinalityOverflow fires when series are folded together", sim,
		firing(t.alertSeries(RetryCardinalityOverflow, t.s.Severities[Ticket], ""), sim.at(-1)))
	test.InputSeries = append(test.InputSeries, inputSeries{
		promname.Selector(t.s.Naming.Metric(contract.Requests), folded...), fmt.Sprintf("0+1x%d", sim.steps),
	})
	return test
}

func (t *subject) test(name string, sim *simulation, checks ...exprCheck) unitTest {
	return unitTest{
		Name:     t.Dependency + "/" + t.Operation.Operation + ": " + name,
		Interval: model.Duration(t.step), InputSeries: sim.series(), Checks: checks,
	}
}

// worst is a fault that trips every alert whose threshold allows it.
func (t *subject) worst() load {
	l := t.load(0)
	l.saved = t.rate() * min(*t.RetrySuccess/2, 0.3)
	l.deadline = (t.rate() - l.saved) / 2
	l.exhausted = l.deadline
	l.retried(t.rate(), *t.AttemptsPage*2)
	l.rejections = *t.s.BudgetRejecting*1.5 + l.total()/10
	return l
}

// calm is nearly no failure.
func (t *subject) calm() load {
	share := min(*t.AttemptsTicket-1, 1-*t.Objective, *t.MaskedFailure)
	for _, b := range t.s.Burn {
		share = min(share, b.Factor*(1-*t.Objective))
	}
	share /= 10
	l := t.load(1 - share)
	l.saved = t.rate() * share
	l.retried(l.saved, 1)
	return l
}

func (t *subject) load(first float64) load { return load{first: t.rate() * first} }

// rate is the traffic of a test, well above the guard.
func (t *subject) rate() float64 { return max(10, *t.MinRequestRate*10) }

// window and wait are in steps.
func (t *subject) window() int               { return t.wait(t.s.Window) }
func (t *subject) wait(d model.Duration) int { return int((time.Duration(d) + t.step - 1) / t.step) }

// longest is the longest wait of any alert about an operation.
func (t *subject) longest() int {
	w := t.s.For
	return t.wait(max(w.AttemptsTicket, w.AttemptsPage, w.MaskedFailure, w.DeadlineShare, w.BudgetReject, w.RetrySuccess))
}

func (t *subject) longestBurn() int {
	longest := 1
	for _, b := range t.s.Burn {
		longest = max(longest, t.wait(b.Long))
	}
	return longest
}

// paging is the alert that any bad fault raises, and its wait in steps; none
// when it is off.
func (t *subject) paging() (alert string, wait int) {
	if t.off(RetryAttemptsPerRequestHigh) {
		return "", 0
	}
	return t.alertSeries(RetryAttemptsPerRequestHigh, t.s.Severities[Page], "", contract.AttrDependency, contract.AttrOperation),
		t.wait(t.s.For.AttemptsPage)
}

func (t *subject) series(c condition) string {
	return t.alertSeries(c.alert, t.s.Severities[c.severity], c.window, contract.AttrDependency, contract.AttrOperation)
}

// anyAlert selects the alerts that are firing, whatever their names, for the
// subject or for no operation. Other operations that the settings know are
// missed in its tests, and rightly so.
func (t *subject) anyAlert() string {
	n := t.s.Naming
	return promname.Selector("ALERTS", `alertstate="firing"`, "alertname=~"+quote(AlertPattern),
		n.Match(contract.AttrDependency, "=~", regexp.QuoteMeta(t.Dependency)+"|"),
		n.Match(contract.AttrOperation, "=~", regexp.QuoteMeta(t.Operation.Operation)+"|"))
}

// alertSeries selects an alert that is firing for the subject.
func (t *subject) alertSeries(alert, severity, window string, attrs ...string) string {
	matchers := []string{"alertname=" + quote(alert), `alertstate="firing"`, "severity=" + quote(severity)}
	if window != "" {
		matchers = append(matchers, windowLabel+"="+quote(window))
	}
	for _, attr := range attrs {
		value := t.Dependency
		if attr == contract.AttrOperation {
			value = t.Operation.Operation
		}
		matchers = append(matchers, t.s.Naming.Match(attr, "=", value))
	}
	return promname.Selector("ALERTS", matchers...)
}

func firing(alert string, at time.Duration) exprCheck {
	return exprCheck{"count(" + alert + ")", model.Duration(at), []exprSample{{"{}", 1}}}
}

func silent(alert string, at time.Duration) exprCheck {
	return exprCheck{"count(" + alert + ")", model.Duration(at), []exprSample{}}
}

// above is a value over a limit and not over most.
func above(limit, most float64) float64 {
	if limit == 0 {
		return most / 10
	}
	return min(limit*1.5, (limit+most)/2)
}
