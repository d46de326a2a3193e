package otelretry_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/retrykit/retrykit/otelretry"
)

// documented gives the rows of the first table below a heading of
// docs/telemetry.md, by cells.
func documented(t *testing.T, heading string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/telemetry.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "there is no heading %q", heading)
	after, _, _ = strings.Cut(after, "\n## ")
	var rows [][]string
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	require.NotEmpty(t, rows)
	return rows
}

var quoted = regexp.MustCompile("`([a-z_.]+)`")

// names gives what is in backquotes.
func names(text string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// The page says of each metric what a program gets.
func TestDocumentedMetrics(t *testing.T) {
	budget, err := otelretry.NewThrottlingBudget("shared", 10, 0.1)
	require.NoError(t, err)
	policy, recorder, _ := recorded(t, otelretry.WithBudget(budget))
	op := policy.Operation("charge", otelretry.Idempotent())
	require.NoError(t, op.Run(t.Context(), script(statusError(503))))
	require.Error(t, op.Run(t.Context(), script(statusError(404))))

	want := map[string][]string{} // kind, unit and attributes by name
	for _, row := range documented(t, "Metrics") {
		attributes := append(names(strings.Join(row[4:], "")), "retry.dependency")
		if !strings.HasPrefix(row[0], "`otelretry.budget.") {
			attributes = append(attributes, "retry.operation")
		}
		slices.Sort(attributes)
		want[names(row[0])[0]] = append([]string{row[1], strings.Trim(row[2], "`")}, attributes...)
	}
	got := map[string][]string{}
	for name, m := range recorder.Metrics() {
		seen := map[string]bool{}
		note := func(set attribute.Set) {
			for _, kv := range set.ToSlice() {
				seen[string(kv.Key)] = true
			}
		}
		kind := ""
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			kind = "updown"
			if data.IsMonotonic {
				kind = "counter"
			}
			for _, p := range data.DataPoints {
				note(p.Attributes)
			}
		case metricdata.Histogram[int64]:
			kind = "histogram"
			for _, p := range data.DataPoints {
				note(p.Attributes)
			}
		case metricdata.Histogram[float64]:
			kind = "histogram"
			for _, p := range data.DataPoints {
				note(p.Attributes)
			}
		case metricdata.Gauge[float64]:
			kind = "gauge"
			for _, p := range data.DataPoints {
				note(p.Attributes)
			}
		}
		var attributes []string
		for key := range seen {
			attributes = append(attributes, key)
		}
		slices.Sort(attributes)
		got[name] = append([]string{kind, m.Unit}, attributes...)
	}
	assert.Equal(t, want, got)
}

func TestDocumentedOutcomes(t *testing.T) {
	var want, got []string
	for outcome := otelretry.FirstAttemptSuccess; outcome <= otelretry.Canceled; outcome++ {
		want = append(want, outcome.String())
	}
	for _, row := range documented(t, "Outcomes") {
		got = append(got, names(row[0])[0])
	}
	assert.Equal(t, want, got)
}

func TestDocumentedSpanAttributes(t *testing.T) {
	policy, recorder, _ := recorded(t)
	op := policy.Operation("charge", otelretry.Idempotent())
	require.Error(t, op.Run(t.Context(), func(context.Context) error { return statusError(503) }))
	request := recorder.Requests()[0]

	want := map[string]bool{} // of the request and of its attempts together
	for _, row := range documented(t, "Spans") {
		for _, name := range names(row[0]) {
			want[name] = true
		}
	}
	got := map[string]bool{}
	for name := range request.Attributes {
		got[name] = true
	}
	for name := range request.Attempts[1].Attributes {
		got[name] = true
	}
	assert.Equal(t, want, got)
}
