package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// load is what an operation goes through, per second.
type load struct {
	first, saved, exhausted, deadline float64 // requests, by their outcome
	retries                           float64
	savedShare                        float64 // of the retried requests
	retriedRequests                   float64
	rejections                        float64
}

func (l *load) total() float64 { return l.first + l.saved + l.exhausted + l.deadline }

// retried says how many of the requests were retried, and how often each.
func (l *load) retried(requests, each float64) {
	l.retriedRequests = requests
	l.retries = requests * each
	l.savedShare = 0
	if requests > 0 {
		l.savedShare = l.saved / requests
	}
}

func (l load) times(factor float64) load {
	for _, v := range []*float64{&l.first, &l.saved, &l.exhausted, &l.deadline, &l.retries, &l.retriedRequests, &l.rejections} {
		*v *= factor
	}
	return l
}

// counters are the increases of each counter under a load.
func (t *subject) counters(l load) []counter {
	n := t.s.Naming
	operation := t.s.matchOperation(t.Operation)
	dependency := operation[:1]
	class := n.Match(contract.AttrErrorType, "=", "503")
	outcome := func(name string, v float64) counter {
		return counter{n.Metric(contract.Requests), append(slices.Clone(operation), n.Match(contract.AttrOutcome, "=", name)), v, 0}
	}
	saved := func(value string, v float64) counter {
		return counter{n.Metric(contract.RetriedRequests), append(slices.Clone(operation), class, n.Match(contract.AttrSaved, "=", value)), v, 0}
	}
	out := []counter{
		outcome(contract.FirstAttemptSuccess, l.first),
		outcome(contract.RetriedSuccess, l.saved),
		outcome(contract.AttemptsExhausted, l.exhausted),
		outcome(contract.DeadlineExceeded, l.deadline),
		{n.Metric(contract.Retries), append(slices.Clone(operation), class), l.retries, 0},
		saved("true", l.retriedRequests*l.savedShare),
		saved("false", l.retriedRequests*(1-l.savedShare)),
		{n.Metric(contract.BudgetRejections), append(slices.Clone(dependency), n.Match(contract.AttrBudgetName, "=", "example")), l.rejections, 0},
	}
	attempts := l.total() + l.retries
	if t.s.Native {
		return append(out, counter{n.Metric(contract.RequestAttempts), operation, attempts, l.total()})
	}
	return append(out,
		counter{n.Part(contract.RequestAttempts, "sum"), operation, attempts, 0},
		counter{n.Part(contract.RequestAttempts, "count"), operation, l.total(), 0})
}

// counter is a series and its increase per second; count is that of a native
// histogram's observations, and marks one.
type counter struct {
	metric   string
	matchers []string
	increase float64
	count    float64
}

// simulation writes the series of some instances, step by step.
type simulation struct {
	t         *subject
	instances []string
	steps     int
	order     []string
	values    map[string]*track
}

// track is one series so far.
type track struct {
	value, count float64
	native       bool
	notation     []string
}

func (t *subject) simulate(instances ...string) *simulation {
	if instances == nil {
		instances = []string{"example-1"}
	}
	return &simulation{t: t, instances: instances, values: map[string]*track{}}
}

// run lets n steps pass under a load, shared by the instances.
func (m *simulation) run(l load, n int) *simulation {
	seen := map[string]bool{}
	for _, instance := range m.instances {
		for _, c := range m.t.counters(l.times(1 / float64(len(m.instances)))) {
			name := promname.Selector(c.metric, slices.Concat(m.t.labels, []string{"instance=" + quote(instance)}, c.matchers)...)
			seen[name] = true
			m.track(name, m.t.s.Native && c.metric == m.t.s.Naming.Metric(contract.RequestAttempts)).run(c, n, m.t.step)
		}
	}
	for _, name := range m.order {
		if !seen[name] {
			m.values[name].skip(n)
		}
	}
	m.steps += n
	return m
}

// restart sets every counter to 0.
func (m *simulation) restart() *simulation {
	for _, v := range m.values {
		v.value, v.count = 0, 0
	}
	return m
}

// stop ends the series of all instances.
func (m *simulation) stop() *simulation {
	m.instances = nil
	for _, v := range m.values {
		v.notation = append(v.notation, "stale")
	}
	m.steps++
	return m
}

// start begins the series of new instances.
func (m *simulation) start(instances ...string) *simulation {
	m.instances = instances
	return m
}

// at is the time of a step; -1 is the last one.
func (m *simulation) at(step int) time.Duration {
	if step < 0 {
		step += m.steps
	}
	return time.Duration(step) * m.t.step
}

func (m *simulation) series() []inputSeries {
	var out []inputSeries
	for _, name := range m.order {
		out = append(out, inputSeries{name, strings.Join(m.values[name].notation, " ")})
	}
	return out
}

func (m *simulation) track(name string, native bool) *track {
	v := m.values[name]
	if v == nil {
		v = &track{native: native}
		v.skip(m.steps)
		m.values[name] = v
		m.order = append(m.order, name)
	}
	return v
}

func (v *track) run(c counter, n int, step time.Duration) {
	by, count := c.increase*step.Seconds(), c.count*step.Seconds()
	v.notation = append(v.notation, v.write(v.value, v.count)+"+"+v.write(by, count)+fmt.Sprintf("x%d", n-1))
	v.value += by * float64(n)
	v.count += count * float64(n)
}

func (v *track) write(value, count float64) string {
	if !v.native {
		return number(value)
	}
	return fmt.Sprintf("{{schema:0 sum:%s count:%s buckets:[%s]}}", number(value), number(count), number(count))
}

func (v *track) skip(n int) {
	if n > 0 {
		v.notation = append(v.notation, fmt.Sprintf("_x%d", n))
	}
}

// example returns a value that a matcher accepts, "" for none at all.
func example(op, pattern string) (string, bool) {
	accepts := func(v string) bool { return v == pattern }
	if strings.HasSuffix(op, "~") {
		re, err := regexp.Compile("^(?:" + pattern + ")$")
		if err != nil {
			return "", false
		}
		accepts = re.MatchString
	}
	candidates := append([]string{pattern, "", "example"}, strings.Split(strings.Trim(pattern, "()"), "|")...)
	candidates = append(candidates, strings.NewReplacer(".*", "", ".+", "x", `\\`, "").Replace(pattern))
	for _, v := range candidates {
		if accepts(v) == (op[0] == '=') {
			return v, true
		}
	}
	return "", false
}
