package figures

import (
	"slices"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

// Query says how a figure's PromQL is written: for which names, window,
// series and grouping. The zero value is the default translation over 5
// minutes, per dependency and operation.
type Query struct {
	Naming promname.Naming // the default when empty
	Window string          // a PromQL duration such as "5m", the default
	// Matchers are further matchers of every selector, complete, such as
	// `job="checkout"`.
	Matchers []string
	// OperationMatchers are the matchers that ask about the operation: they are
	// left out where series carry none, such as a budget's.
	OperationMatchers []string
	// By are the attributes that the figure is grouped by; nil stands for
	// dependency and operation, an empty slice for none.
	By []string
	// Native asks for native histograms instead of _bucket, _sum and _count.
	Native bool
}

func (q Query) naming() promname.Naming {
	if q.Naming == "" {
		return promname.UnderscoreEscapingWithSuffixes
	}
	return q.Naming
}

func (q Query) window() string {
	if q.Window == "" {
		return "5m"
	}
	return q.Window
}

func (q Query) by(extra ...string) string {
	by := q.By
	if by == nil {
		by = []string{contract.AttrDependency, contract.AttrOperation}
	}
	labels := make([]string, 0, len(by)+len(extra))
	for _, attr := range by {
		labels = append(labels, q.naming().QuoteLabel(attr))
	}
	for _, attr := range extra {
		if attr == "le" {
			labels = append(labels, attr)
			continue
		}
		labels = append(labels, q.naming().QuoteLabel(attr))
	}
	return strings.Join(labels, ", ")
}

// Match returns a matcher on an attribute; op is "=", "!=", "=~" or "!~".
func (q Query) Match(attr, op, value string) string {
	return q.naming().Match(attr, op, value)
}

// Sum returns `sum by (...) (fn(series[window]))`: fn is rate or increase,
// part is "", or of a classic histogram "sum", "count" or "bucket", and extra
// are attributes to group by besides q.By.
func (q Query) Sum(fn string, m contract.Metric, part string, extra []string, matchers ...string) string {
	name := q.naming().Metric(m)
	if part != "" {
		name = q.naming().Part(m, part)
	}
	selector := q.selector(name, matchers...)
	return "sum by (" + q.by(extra...) + ") (" + fn + "(" + selector + "[" + q.window() + "]))"
}

// Rate is Sum of a counter's rate.
func (q Query) Rate(m contract.Metric, matchers ...string) string {
	return q.Sum("rate", m, "", nil, matchers...)
}

// Gauge returns `sum by (...) (series)` of a metric that goes up and down;
// with agg "max" or "avg", that aggregation.
func (q Query) Gauge(agg string, m contract.Metric, extra ...string) string {
	return agg + " by (" + q.by(extra...) + ") (" + q.selector(q.naming().Metric(m)) + ")"
}

// Series returns the selector of a counter's or gauge's series.
func (q Query) Series(m contract.Metric, matchers ...string) string {
	return q.selector(q.naming().Metric(m), matchers...)
}

func (q Query) selector(name string, matchers ...string) string {
	return promname.Selector(name, slices.Concat(q.Matchers, q.OperationMatchers, matchers)...)
}

// share is part / whole where both count series of one metric: a part that
// has no series yet is 0, not absent.
func share(part, whole string) string {
	return "(" + part + " or " + whole + " * 0) / " + whole
}

// histogram parts, classic or native.

func (q Query) histogramSum(m contract.Metric) string {
	if q.Native {
		return "histogram_sum(" + q.Rate(m) + ")"
	}
	return q.Sum("rate", m, "sum", nil)
}

func (q Query) histogramMean(m contract.Metric) string {
	if q.Native {
		return "histogram_avg(" + q.Rate(m) + ")"
	}
	return q.Sum("rate", m, "sum", nil) + " / " + q.Sum("rate", m, "count", nil)
}

func (q Query) histogramQuantile(quantile string, m contract.Metric) string {
	if q.Native {
		return "histogram_quantile(" + quantile + ", " + q.Rate(m) + ")"
	}
	return "histogram_quantile(" + quantile + ", " + q.Sum("rate", m, "bucket", []string{"le"}) + ")"
}
