package promapi

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/summary"
)

// concurrency is how many questions are under way at a time.
const concurrency = 4

// Options say what to ask.
type Options struct {
	Connection
	Window     time.Duration   // how far back; 1 h when 0
	End        time.Time       // evaluation time; has to be set
	Naming     promname.Naming // found out when empty
	Matchers   []string        // further PromQL matchers of every series, complete
	Dependency []string        // only these; all when empty
	Operation  []string
	Timeline   bool // ask for the figures over time too
}

// ErrNoSeries says that the server has no series of the contract.
var ErrNoSeries = errors.New("no retry metrics")

// Summarise asks for every figure, per operation and in total.
func Summarise(ctx context.Context, o Options) (*summary.Summary, error) {
	c, err := o.client()
	if err != nil {
		return nil, err
	}
	defer c.close()
	if o.Window <= 0 {
		o.Window = time.Hour
	}
	q := figures.Query{Naming: o.Naming, Window: duration(o.Window)}
	if q.Naming == "" {
		if q.Naming, err = naming(ctx, c, q, o.End); err != nil {
			return nil, err
		}
	}
	q.Matchers = append(slices.Clone(o.Matchers), only(q.Naming, o)...)
	if q.Native, err = native(ctx, c, q, o.End); err != nil {
		return nil, err
	}
	a := &asking{client: c, query: q, at: o.End}
	s, err := a.summary(ctx)
	if err != nil {
		return nil, err
	}
	start, end := o.End.Add(-o.Window).UTC(), o.End.UTC()
	s.Window = summary.Window{Start: &start, End: &end}
	if len(s.Operations) == 0 && len(o.Dependency)+len(o.Operation)+len(o.Matchers) > 0 {
		return nil, fmt.Errorf("%s: %w in the last %s that match what was asked for (%s)", c.url, ErrNoSeries, q.Window, strings.Join(q.Matchers, ", "))
	}
	if len(s.Operations) == 0 {
		if len(c.skipped) > 0 {
			return nil, fmt.Errorf("%s: %w that can be used in the last %s: %s", c.url, ErrNoSeries, q.Window, c.skipped[0].Reason)
		}
		return nil, fmt.Errorf("%s: %w in the last %s; is the name translation right (--naming)?", c.url, ErrNoSeries, q.Window)
	}
	if o.Timeline {
		if s.Timeline, err = a.timeline(ctx, o); err != nil {
			return nil, err
		}
	}
	s.Input.Skipped = append(s.Input.Skipped, c.skipped...)
	return s, nil
}

// Naming finds out under which translation the server has the metrics, and
// whether their histograms are native ones.
func Naming(ctx context.Context, connection Connection, window time.Duration, at time.Time) (promname.Naming, bool, error) {
	c, err := connection.client()
	if err != nil {
		return "", false, err
	}
	defer c.close()
	q := figures.Query{Window: duration(window)}
	if q.Naming, err = naming(ctx, c, q, at); err != nil {
		return "", false, err
	}
	isNative, err := native(ctx, c, q, at)
	return q.Naming, isNative, err
}

func naming(ctx context.Context, c *client, q figures.Query, at time.Time) (promname.Naming, error) {
	var found []promname.Naming
	for _, n := range promname.All() {
		// Matchers on labels are left out: their names depend on the answer.
		query := "count(last_over_time(" + promname.Selector(n.Metric(contract.Requests)) + "[" + q.Window + "]))"
		v, err := c.ask(ctx, query, at)
		var refused *v1.Error
		if errors.As(err, &refused) && refused.Type == v1.ErrBadData && n.UTF8() {
			continue // a server from before UTF-8 names
		}
		if err != nil {
			return "", err
		}
		if len(v) > 0 {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%s: %w in the last %s, under any of the four name translations", c.url, ErrNoSeries, q.Window)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s: the retry metrics are there under several name translations, %v: choose one with --naming", c.url, found)
}

// native reports whether the histograms are native ones.
func native(ctx context.Context, c *client, q figures.Query, at time.Time) (bool, error) {
	selector := promname.Selector(q.Naming.Part(contract.RequestAttempts, "count"), q.Matchers...)
	v, err := c.ask(ctx, "count(last_over_time("+selector+"["+q.Window+"]))", at)
	if err != nil || len(v) > 0 {
		return false, err
	}
	selector = promname.Selector(q.Naming.Metric(contract.RequestAttempts), q.Matchers...)
	v, err = c.ask(ctx, "count(last_over_time("+selector+"["+q.Window+"]))", at)
	return len(v) > 0, err
}

// only returns matchers for the dependencies and operations asked about.
func only(n promname.Naming, o Options) []string {
	var out []string
	for attr, values := range map[string][]string{contract.AttrDependency: o.Dependency, contract.AttrOperation: o.Operation} {
		if len(values) == 0 {
			continue
		}
		quoted := make([]string, len(values))
		for i, v := range values {
			quoted[i] = regexp.QuoteMeta(v)
		}
		out = append(out, n.Match(attr, "=~", strings.Join(quoted, "|")))
	}
	slices.Sort(out)
	return out
}

func duration(d time.Duration) string { return model.Duration(d).String() }

// asking is one round of questions.
type asking struct {
	client *client
	query  figures.Query
	at     time.Time

	mu  sync.Mutex
	ops map[[2]string]*summary.Figures
	all summary.Figures
}

// question is an expression and what to do with each value of its answer.
type question struct {
	promql string
	take   func(f *summary.Figures, labels model.Metric, v float64)
	total  bool
}

func (a *asking) summary(ctx context.Context) (*summary.Summary, error) {
	a.ops = map[[2]string]*summary.Figures{}
	var questions []question
	for _, total := range []bool{false, true} {
		q := a.query
		if total {
			q.By = []string{}
		}
		questions = append(questions, a.counts(q, total)...)
		questions = append(questions, fromTable(q, total)...)
	}
	// Who has which operation is the first question's answer: only what counts
	// requests makes a row.
	if err := a.run(ctx, questions[:1]); err != nil {
		return nil, err
	}
	if err := a.run(ctx, questions[1:]); err != nil {
		return nil, err
	}
	s := &summary.Summary{SchemaVersion: contract.SchemaVersion, Operations: []summary.Operation{}}
	s.Input.Skipped = []summary.Skipped{}
	for key, f := range a.ops {
		if f.Requests == nil {
			continue
		}
		complete(f)
		s.Operations = append(s.Operations, summary.Operation{Dependency: key[0], Operation: key[1], Figures: *f})
	}
	complete(&a.all)
	s.Total = a.all
	summary.SortByRetries(s.Operations)
	return s, nil
}

// run asks all questions, a few at a time.
func (a *asking) run(ctx context.Context, questions []question) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	next := make(chan question)
	for range min(concurrency, len(questions)) {
		wg.Go(func() {
			for q := range next {
				vector, err := a.client.ask(ctx, q.promql, a.at)
				if err != nil {
					cancel(err)
					continue
				}
				a.take(q, vector)
			}
		})
	}
	for _, q := range questions {
		if ctx.Err() != nil {
			break
		}
		next <- q
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

func (a *asking) take(q question, vector model.Vector) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.query.Naming
	for _, sample := range vector {
		v, ok := a.client.number(sample.Value, sample.Histogram != nil, q.promql)
		if !ok {
			continue
		}
		f := &a.all
		if !q.total {
			key := [2]string{
				string(sample.Metric[model.LabelName(n.Label(contract.AttrDependency))]),
				string(sample.Metric[model.LabelName(n.Label(contract.AttrOperation))]),
			}
			if f = a.ops[key]; f == nil {
				f = &summary.Figures{}
				a.ops[key] = f
			}
		}
		q.take(f, sample.Metric, v)
	}
}

// counts are the questions whose answers are counts by label.
func (a *asking) counts(q figures.Query, total bool) []question {
	n := q.Naming
	label := func(attr string) model.LabelName { return model.LabelName(n.Label(attr)) }
	by := func(m contract.Metric, into func(*summary.Figures) *map[string]float64, attr string, matchers ...string) question {
		return question{q.Sum("increase", m, "", []string{attr}, matchers...), func(f *summary.Figures, labels model.Metric, v float64) {
			to := into(f)
			if *to == nil {
				*to = map[string]float64{}
			}
			(*to)[string(labels[label(attr)])] += v
		}, total}
	}
	one := func(m contract.Metric, into func(*summary.Figures) **float64) question {
		return question{q.Sum("increase", m, "", nil), func(f *summary.Figures, _ model.Metric, v float64) { *into(f) = &v }, total}
	}
	return []question{
		one(contract.Requests, func(f *summary.Figures) **float64 { return &f.Requests }),
		one(contract.Attempts, func(f *summary.Figures) **float64 { return &f.Attempts }),
		one(contract.Replays, func(f *summary.Figures) **float64 { return &f.Replays }),
		by(contract.Requests, func(f *summary.Figures) *map[string]float64 { return &f.Outcomes }, contract.AttrOutcome),
		by(contract.Retries, func(f *summary.Figures) *map[string]float64 { return &f.RetriesByClass }, contract.AttrErrorType),
		by(contract.RetriedRequests, func(f *summary.Figures) *map[string]float64 { return &f.Retried }, contract.AttrErrorType),
		by(contract.RetriedRequests, func(f *summary.Figures) *map[string]float64 { return &f.Saved }, contract.AttrErrorType, q.Match(contract.AttrSaved, "=", "true")),
	}
}

// fromTable are the questions of the table of figures.
func fromTable(q figures.Query, total bool) []question {
	var out []question
	for _, x := range []struct {
		id   string
		into func(*summary.Figures) **float64
	}{
		{"attempts_per_request", func(f *summary.Figures) **float64 { return &f.AttemptsPerRequest }},
		{"first_attempt_success", func(f *summary.Figures) **float64 { return &f.FirstAttemptSuccess }},
		{"eventual_success", func(f *summary.Figures) **float64 { return &f.EventualSuccess }},
		{"added_latency", added(func(d *summary.Distribution) **float64 { return &d.Mean })},
		{"added_latency_p50", added(func(d *summary.Distribution) **float64 { return &d.P50 })},
		{"added_latency_p95", added(func(d *summary.Distribution) **float64 { return &d.P95 })},
		{"added_latency_p99", added(func(d *summary.Distribution) **float64 { return &d.P99 })},
		{"request_duration", took(func(d *summary.Distribution) **float64 { return &d.Mean })},
		{"request_duration_p50", took(func(d *summary.Distribution) **float64 { return &d.P50 })},
		{"request_duration_p95", took(func(d *summary.Distribution) **float64 { return &d.P95 })},
		{"request_duration_p99", took(func(d *summary.Distribution) **float64 { return &d.P99 })},
	} {
		figure, ok := figures.Find(x.id)
		if !ok {
			continue
		}
		out = append(out, question{figure.PromQL(q), func(f *summary.Figures, _ model.Metric, v float64) { *x.into(f) = &v }, total})
	}
	if figure, ok := figures.Find("retry_success_by_class"); ok {
		label := model.LabelName(q.Naming.Label(contract.AttrErrorType))
		out = append(out, question{figure.PromQL(q), func(f *summary.Figures, labels model.Metric, v float64) {
			if f.RetrySuccessByClass == nil {
				f.RetrySuccessByClass = map[string]float64{}
			}
			f.RetrySuccessByClass[string(labels[label])] = v
		}, total})
	}
	if total {
		out = append(out, question{q.Sum("increase", contract.BudgetRejections, "", nil), func(f *summary.Figures, _ model.Metric, v float64) {
			f.BudgetRejections = &v
		}, total})
	}
	return out
}

func added(of func(*summary.Distribution) **float64) func(*summary.Figures) **float64 {
	return func(f *summary.Figures) **float64 {
		if f.AddedLatency == nil {
			f.AddedLatency = &summary.Distribution{}
		}
		return of(f.AddedLatency)
	}
}

func took(of func(*summary.Distribution) **float64) func(*summary.Figures) **float64 {
	return func(f *summary.Figures) **float64 {
		if f.RequestDuration == nil {
			f.RequestDuration = &summary.Distribution{}
		}
		return of(f.RequestDuration)
	}
}

// complete fills in what follows from the answers.
func complete(f *summary.Figures) {
	if f.Outcomes != nil {
		deadline, rejected := f.Outcomes[contract.DeadlineExceeded], f.Outcomes[contract.BudgetRejected]
		f.DeadlineExhaustions = &deadline
		if f.BudgetRejections == nil {
			f.BudgetRejections = &rejected
		}
		var requests float64
		for _, n := range f.Outcomes {
			requests += n
		}
		if eligible := requests - f.Outcomes[contract.Canceled]; eligible > 0 {
			lo, hi := figures.Wilson(f.Outcomes[contract.FirstAttemptSuccess], eligible)
			f.FirstAttemptRange = &[2]float64{lo, hi}
		}
	}
	if f.RetriesByClass == nil && f.Attempts != nil && f.Requests != nil && *f.Attempts == *f.Requests {
		f.RetriesByClass = map[string]float64{}
	}
	if f.Retried != nil && f.Saved == nil {
		f.Saved = map[string]float64{}
	}
}

// addTo adds to a number that may not have been known.
func addTo(to **float64, v float64) {
	if *to == nil {
		*to = new(float64)
	}
	**to += v
}

// The window is cut into so many slots at most, none of them shorter than
// samples are apart, unless the window is.
const (
	timelineSteps = 60
	shortestStep  = 15 * time.Second
)

func (a *asking) timeline(ctx context.Context, o Options) ([]summary.Slot, error) {
	slotCount := min(max(o.Window/shortestStep, 1), timelineSteps)
	step := (o.Window / slotCount).Truncate(time.Millisecond) // Prometheus' resolution
	q := a.query
	q.By, q.Window = []string{}, duration(step)
	added := q.Sum("increase", contract.AddedDuration, "sum", nil)
	if q.Native {
		added = "histogram_sum(" + q.Sum("increase", contract.AddedDuration, "", nil) + ")"
	}
	slots := map[int64]*summary.Slot{}
	for _, x := range []struct {
		promql string
		take   func(*summary.Slot, model.Metric, float64)
	}{
		{q.Sum("increase", contract.Requests, "", []string{contract.AttrOutcome}), func(s *summary.Slot, m model.Metric, v float64) {
			s.Requests += v
			switch string(m[model.LabelName(q.Naming.Label(contract.AttrOutcome))]) {
			case contract.Canceled:
				return
			case contract.FirstAttemptSuccess:
				addTo(&s.FirstSuccess, v)
			default:
				addTo(&s.FirstSuccess, 0)
			}
			s.Eligible += v
		}},
		{q.Sum("increase", contract.Attempts, "", nil), func(s *summary.Slot, _ model.Metric, v float64) { addTo(&s.Attempts, v) }},
		{added, func(s *summary.Slot, _ model.Metric, v float64) { addTo(&s.AddedSeconds, v) }},
		{q.Sum("increase", contract.Retries, "", []string{contract.AttrErrorType}), func(s *summary.Slot, m model.Metric, v float64) {
			if s.RetriesByClass == nil {
				s.RetriesByClass = map[string]float64{}
			}
			s.RetriesByClass[string(m[model.LabelName(q.Naming.Label(contract.AttrErrorType))])] += v
		}},
	} {
		matrix, err := a.client.askRange(ctx, x.promql, v1.Range{Start: o.End.Add(-step * (slotCount - 1)), End: o.End, Step: step})
		if err != nil {
			return nil, err
		}
		for _, series := range matrix {
			for _, p := range series.Values {
				v, ok := a.client.number(p.Value, false, x.promql)
				if !ok {
					continue
				}
				at := p.Timestamp.Time().Add(-step)
				s := slots[at.UnixNano()]
				if s == nil {
					s = &summary.Slot{Start: at.UTC(), Width: step}
					slots[at.UnixNano()] = s
				}
				x.take(s, series.Metric, v)
			}
		}
	}
	var out []summary.Slot
	for _, s := range slots {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b summary.Slot) int { return a.Start.Compare(b.Start) })
	return out, nil
}
