package live_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/dashboard"
)

// grafanaPanel is what of a panel leads to traces.
type grafanaPanel struct {
	Title   string
	Targets []struct {
		Expr     string
		Exemplar bool
	}
	FieldConfig struct {
		Defaults struct {
			Links []struct{ URL string }
		}
	}
}

// exemplarsLeadToTraces follows the way from a panel of the Grafana dashboard
// to a trace: the exemplars that the server has under the panel's query carry
// the ids of the service's own traces, and the query of the panel's link to the
// traces selects each of them.
func (l *live) exemplarsLeadToTraces(t *testing.T, start time.Time, recorder *tracetest.SpanRecorder) {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, dashboard.WriteGrafana(&text, l.settings))
	var d struct{ Panels []grafanaPanel }
	require.NoError(t, json.Unmarshal(text.Bytes(), &d))
	fill := strings.NewReplacer("$dependency", ".*", "$operation", ".*", "$window", "10s")
	type found struct {
		panel    grafanaPanel
		labels   map[string]string
		exemplar v1.Exemplar
	}
	var all []found
	panels := 0
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			if !target.Exemplar {
				continue
			}
			panels++
			series, err := l.server.API.QueryExemplars(t.Context(), fill.Replace(target.Expr), start, time.Now())
			require.NoError(t, err, target.Expr)
			require.NotEmpty(t, series, "%s: no exemplars under %s", p.Title, target.Expr)
			for _, s := range series {
				labels := map[string]string{}
				for name, value := range s.SeriesLabels {
					labels[string(name)] = string(value)
				}
				for _, e := range s.Exemplars {
					all = append(all, found{p, labels, e})
				}
			}
		}
	}
	assert.Equal(t, 6, panels, "queries with exemplars")
	requests := map[string]map[string]string{} // the attributes of each span, by trace and span
	for _, span := range recorder.Ended() {    // after the exemplars were read: each of their spans has ended
		attributes := map[string]string{}
		for _, kv := range span.Attributes() {
			attributes[string(kv.Key)] = kv.Value.Emit()
		}
		requests[span.SpanContext().TraceID().String()+span.SpanContext().SpanID().String()] = attributes
	}
	retried := 0
	for _, f := range all {
		attributes, ok := requests[string(f.exemplar.Labels["trace_id"])+string(f.exemplar.Labels["span_id"])]
		if !assert.True(t, ok, "%s: an exemplar of no span of the service: %s", f.panel.Title, f.exemplar.Labels) {
			continue
		}
		assert.Equal(t, f.labels["retry_operation"], attributes[contract.AttrOperation])
		if attributes[contract.AttrAttempts] == "1" {
			continue
		}
		retried++
		assert.True(t, selects(t, f.panel.FieldConfig.Defaults.Links[0].URL, f.labels, attributes),
			"%s: the link to the traces leaves out %s", f.panel.Title, attributes)
	}
	assert.Positive(t, retried, "exemplars of retried requests")
}

var condition = regexp.MustCompile(`^span\.([a-z.]+) (=|>) (.+)$`)

// selects evaluates the TraceQL of a link to Grafana's Explore, its variables
// filled in for the line with these labels, for the attributes of a span.
func selects(t *testing.T, link string, labels, attributes map[string]string) bool {
	t.Helper()
	for name, value := range labels {
		link = strings.ReplaceAll(link, `${__field.labels["`+name+`"]}`, value)
	}
	link = strings.NewReplacer("${traces}", "tempo", "${__from}", "0", "${__to}", "1").Replace(link)
	address, err := url.Parse(link)
	require.NoError(t, err)
	var panes struct {
		Retries struct {
			Datasource string
			Queries    []struct{ QueryType, Query string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(address.Query().Get("panes")), &panes), link)
	require.Len(t, panes.Retries.Queries, 1)
	require.Equal(t, "traceql", panes.Retries.Queries[0].QueryType)
	require.Equal(t, "tempo", panes.Retries.Datasource)
	query := panes.Retries.Queries[0].Query
	require.NotContains(t, query, "$")
	for _, part := range strings.Split(strings.Trim(query, "{}"), " && ") {
		m := condition.FindStringSubmatch(part)
		require.NotNil(t, m, "a condition that TraceQL has: %s", part)
		switch m[2] {
		case "=":
			if attributes[m[1]] != strings.Trim(m[3], `"`) {
				return false
			}
		case ">":
			limit, err := strconv.ParseFloat(m[3], 64)
			require.NoError(t, err)
			got, err := strconv.ParseFloat(attributes[m[1]], 64)
			if err != nil || got <= limit {
				return false
			}
		}
	}
	return true
}
