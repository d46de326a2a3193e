package dashboard

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/rules"
)

// grafanaSchema is the version of Grafana's dashboard JSON that is written:
// that of Grafana 11, which later ones read.
const grafanaSchema = 39

type grafanaDashboard struct {
	UID           string             `json:"uid"`
	Title         string             `json:"title"`
	Description   string             `json:"description"`
	Tags          []string           `json:"tags"`
	SchemaVersion int                `json:"schemaVersion"`
	Editable      bool               `json:"editable"`
	GraphTooltip  int                `json:"graphTooltip"`
	Refresh       string             `json:"refresh"`
	Time          grafanaTime        `json:"time"`
	Templating    grafanaTemplating  `json:"templating"`
	Annotations   grafanaAnnotations `json:"annotations"`
	Panels        []grafanaPanel     `json:"panels"`
}

type grafanaTime struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type grafanaTemplating struct {
	List []grafanaVariable `json:"list"`
}

type grafanaVariable struct {
	Name       string          `json:"name"`
	Label      string          `json:"label"`
	Type       string          `json:"type"`
	Query      any             `json:"query"`
	Datasource *grafanaSource  `json:"datasource,omitempty"`
	Current    grafanaOption   `json:"current"`
	Options    []grafanaOption `json:"options,omitempty"`
	Multi      bool            `json:"multi,omitempty"`
	IncludeAll bool            `json:"includeAll,omitempty"`
	AllValue   string          `json:"allValue,omitempty"`
	Regex      string          `json:"regex,omitempty"`
	Refresh    int             `json:"refresh,omitempty"`
	Sort       int             `json:"sort,omitempty"`
}

type grafanaOption struct {
	Selected bool   `json:"selected"`
	Text     string `json:"text"`
	Value    string `json:"value"`
}

type grafanaAnnotations struct {
	List []grafanaAnnotation `json:"list"`
}

type grafanaAnnotation struct {
	Name        string        `json:"name"`
	Enable      bool          `json:"enable"`
	Datasource  grafanaSource `json:"datasource"`
	IconColor   string        `json:"iconColor"`
	Expr        string        `json:"expr"`
	TitleFormat string        `json:"titleFormat"`
	TextFormat  string        `json:"textFormat"`
	TagKeys     string        `json:"tagKeys"`
}

type grafanaSource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type grafanaPanel struct {
	ID              int                     `json:"id"`
	Type            string                  `json:"type"`
	Title           string                  `json:"title"`
	Description     string                  `json:"description,omitempty"`
	GridPos         grafanaGrid             `json:"gridPos"`
	Collapsed       *bool                   `json:"collapsed,omitempty"`
	Panels          *[]grafanaPanel         `json:"panels,omitempty"` // of a row that is collapsed
	Datasource      *grafanaSource          `json:"datasource,omitempty"`
	Targets         []grafanaTarget         `json:"targets,omitempty"`
	FieldConfig     *grafanaFieldConfig     `json:"fieldConfig,omitempty"`
	Options         map[string]any          `json:"options,omitempty"`
	Transformations []grafanaTransformation `json:"transformations,omitempty"`
}

type grafanaGrid struct {
	H int `json:"h"`
	W int `json:"w"`
	X int `json:"x"`
	Y int `json:"y"`
}

type grafanaTarget struct {
	Datasource   grafanaSource `json:"datasource"`
	RefID        string        `json:"refId"`
	Expr         string        `json:"expr"`
	LegendFormat string        `json:"legendFormat,omitempty"`
	Range        bool          `json:"range"`
	Instant      bool          `json:"instant"`
	Exemplar     bool          `json:"exemplar"`
	Format       string        `json:"format,omitempty"`
	EditorMode   string        `json:"editorMode"`
}

type grafanaFieldConfig struct {
	Defaults  grafanaField      `json:"defaults"`
	Overrides []grafanaOverride `json:"overrides"`
}

type grafanaField struct {
	Unit       string             `json:"unit,omitempty"`
	Min        *float64           `json:"min,omitempty"`
	Max        *float64           `json:"max,omitempty"`
	Color      map[string]any     `json:"color,omitempty"`
	Thresholds *grafanaThresholds `json:"thresholds,omitempty"`
	Mappings   []any              `json:"mappings,omitempty"`
	Links      []grafanaLink      `json:"links,omitempty"`
	Custom     map[string]any     `json:"custom,omitempty"`
}

type grafanaThresholds struct {
	Mode  string        `json:"mode"`
	Steps []grafanaStep `json:"steps"`
}

type grafanaStep struct {
	Color string   `json:"color"`
	Value *float64 `json:"value"`
}

type grafanaLink struct {
	Title       string `json:"title"`
	URL         string `json:"url"`
	TargetBlank bool   `json:"targetBlank"`
}

type grafanaOverride struct {
	Matcher    grafanaMatcher    `json:"matcher"`
	Properties []grafanaProperty `json:"properties"`
}

type grafanaMatcher struct {
	ID      string `json:"id"`
	Options any    `json:"options"`
}

type grafanaProperty struct {
	ID    string `json:"id"`
	Value any    `json:"value"`
}

type grafanaTransformation struct {
	ID      string         `json:"id"`
	Options map[string]any `json:"options"`
}

// WriteGrafana writes the dashboard as JSON that Grafana imports. The settings
// give the names, the selectors, and the limits that are drawn in.
func WriteGrafana(w io.Writer, s rules.Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	l := newLayout(s)
	d := grafanaDashboard{
		UID: UID, Title: Title, Tags: []string{"retries", "retrykit"}, SchemaVersion: grafanaSchema,
		Description: "What retries cost: attempts per request, first-attempt against eventual success, added latency. Written by retrystat dashboard.",
		Editable:    true, GraphTooltip: 1, Refresh: "30s",
		Time:       grafanaTime{"now-6h", "now"},
		Templating: grafanaTemplating{l.grafanaVariables()},
		Annotations: grafanaAnnotations{[]grafanaAnnotation{{
			Name: "Alerts", Enable: true, Datasource: prometheusSource, IconColor: "red",
			Expr: promname.Selector("ALERTS", "alertname=~"+`"`+rules.AlertPattern+`"`, `alertstate="firing"`,
				s.Naming.Match(contract.AttrDependency, "=~", "$"+varDependency+"|")),
			TitleFormat: "{{alertname}}", TextFormat: l.legend(series{legend: []string{contract.AttrDependency, contract.AttrOperation}}),
			TagKeys: "severity",
		}}},
	}
	y, id := 0, 0
	for _, r := range l.rows {
		id++
		d.Panels = append(d.Panels, grafanaPanel{
			ID: id, Type: "row", Title: r.title, GridPos: grafanaGrid{H: 1, W: 24, Y: y}, Collapsed: new(bool), Panels: &[]grafanaPanel{},
		})
		y++
		x := 0
		for _, p := range r.panels {
			if x+p.width > 24 {
				x, y = 0, y+height
			}
			id++
			g := l.grafanaPanel(p)
			g.ID, g.GridPos = id, grafanaGrid{H: height, W: p.width, X: x, Y: y}
			d.Panels = append(d.Panels, g)
			x += p.width
		}
		y += height
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return fmt.Errorf("write the dashboard: %w", err)
	}
	return nil
}

// height of a panel, in rows of the grid.
const height = 8

var prometheusSource = grafanaSource{"prometheus", "${" + varPrometheus + "}"}

func (l layout) grafanaVariables() []grafanaVariable {
	all := grafanaOption{Selected: true, Text: "All", Value: "$__all"}
	names := func(name, label, attr, series string) grafanaVariable {
		v := grafanaVariable{
			Name: name, Label: label, Type: "query", Datasource: &prometheusSource, Current: all,
			Multi: true, IncludeAll: true, AllValue: ".*", Refresh: 2, Sort: 1,
		}
		naming := l.settings.Naming
		v.Query = map[string]any{"refId": "values", "query": "label_values(" + series + ", " + naming.Label(attr) + ")"}
		if naming.UTF8() {
			// label_values takes no quoted label: read it from the series.
			v.Query = map[string]any{"refId": "values", "query": "query_result(count by (" + naming.QuoteLabel(attr) + ") (" + series + "))"}
			v.Regex = `/` + strings.ReplaceAll(attr, ".", `\.`) + `"?="([^"]*)"/`
		}
		return v
	}
	q := l.query(nil)
	q.Matchers, q.OperationMatchers = l.settings.Selectors, nil
	window := grafanaVariable{Name: varWindow, Label: "Window", Type: "custom", Query: strings.Join(windows, ",")}
	for _, w := range windows {
		option := grafanaOption{Selected: w == l.window(), Text: w, Value: w}
		window.Options = append(window.Options, option)
		if option.Selected {
			window.Current = option
		}
	}
	return []grafanaVariable{
		{Name: varPrometheus, Label: "Metrics", Type: "datasource", Query: "prometheus", Refresh: 1},
		{Name: varTraces, Label: "Traces", Type: "datasource", Query: "tempo", Refresh: 1},
		names(varDependency, "Dependency", contract.AttrDependency, q.Series(contract.Requests)),
		names(varOperation, "Operation", contract.AttrOperation,
			q.Series(contract.Requests, q.Match(contract.AttrDependency, "=~", "$"+varDependency))),
		window,
	}
}

// window is the choice that is nearest to the settings' window from above.
func (l layout) window() string {
	for _, w := range windows {
		if w == l.settings.Window.String() {
			return w
		}
	}
	return "5m"
}

func (l layout) grafanaPanel(p panel) grafanaPanel {
	g := grafanaPanel{
		Title: p.title, Description: p.help, Datasource: &prometheusSource,
		FieldConfig: &grafanaFieldConfig{Overrides: []grafanaOverride{}},
	}
	for i, s := range p.series {
		g.Targets = append(g.Targets, grafanaTarget{
			Datasource: prometheusSource, RefID: refID(i), Expr: s.query, LegendFormat: l.legend(s),
			Range: p.kind != table, Instant: p.kind == table, Exemplar: p.exemplars, EditorMode: "code",
		})
	}
	switch p.kind {
	case lines:
		l.grafanaLines(&g, p)
	case table:
		l.grafanaTable(&g, p)
	case states:
		grafanaStates(&g)
	}
	return g
}

func (l layout) grafanaLines(g *grafanaPanel, p panel) {
	g.Type = "timeseries"
	g.Options = map[string]any{
		"legend":  map[string]any{"displayMode": "table", "placement": "bottom", "showLegend": true, "calcs": []string{"lastNotNull", "max"}},
		"tooltip": map[string]any{"mode": "multi", "sort": "desc"},
	}
	field := &g.FieldConfig.Defaults
	field.Unit = grafanaUnit(p.unit)
	field.Custom = map[string]any{"lineWidth": 2, "fillOpacity": 5, "showPoints": "never", "spanNulls": false}
	switch p.unit {
	case figures.Ratio:
		field.Max = value(1)
		if !p.atLeast {
			field.Min = value(0)
		}
	case figures.PerOne:
		if p.series[0].title == "" && strings.Contains(p.title, "Attempts per request") {
			field.Min = value(1)
		}
	default:
		field.Min = value(0)
	}
	if len(p.limits) > 0 {
		field.Thresholds = thresholds(p)
		field.Custom["thresholdsStyle"] = map[string]any{"mode": "dashed"}
	}
	field.Links = []grafanaLink{{Title: "Traces of its retried requests", URL: l.tracesURL(p), TargetBlank: true}}
}

// tracesURL opens Grafana's Explore with the retried requests of the line that
// was clicked.
func (l layout) tracesURL(p panel) string {
	var conditions []string
	for _, attr := range p.series[0].legend {
		if attr == contract.AttrDependency || attr == contract.AttrOperation {
			conditions = append(conditions, "span."+attr+` = "${__field.labels["`+l.settings.Naming.Label(attr)+`"]}"`)
		}
	}
	conditions = append(conditions, "span."+contract.AttrAttempts+" > 1")
	panes, err := json.Marshal(map[string]any{"retries": map[string]any{
		"datasource": "${" + varTraces + "}",
		"queries": []any{map[string]any{
			"refId": "A", "queryType": "traceql", "query": "{" + strings.Join(conditions, " && ") + "}",
			"datasource": map[string]any{"type": "tempo", "uid": "${" + varTraces + "}"},
		}},
		"range": map[string]any{"from": "${__from}", "to": "${__to}"},
	}})
	if err != nil {
		panic(err) // strings and maps always marshal
	}
	// The variables must stay readable to Grafana, which fills them in first.
	escaped := url.QueryEscape(string(panes))
	for _, keep := range []string{"${" + varTraces + "}", "${__from}", "${__to}"} {
		escaped = strings.ReplaceAll(escaped, url.QueryEscape(keep), keep)
	}
	for _, attr := range []string{contract.AttrDependency, contract.AttrOperation} {
		label := l.settings.Naming.Label(attr)
		escaped = strings.ReplaceAll(escaped, url.QueryEscape(`${__field.labels[\"`+label+`\"]}`), `${__field.labels["`+label+`"]}`)
	}
	return "/explore?schemaVersion=1&orgId=1&panes=" + escaped
}

// thresholds colour what is past a limit; dashed lines show where they are.
func thresholds(p panel) *grafanaThresholds {
	colour := map[string]string{rules.Ticket: "orange", rules.Page: "red"}
	t := &grafanaThresholds{Mode: "absolute"}
	if p.atLeast {
		t.Steps = []grafanaStep{{Color: colour[p.limits[0].severity]}, {Color: "green", Value: value(p.limits[0].value)}}
		return t
	}
	t.Steps = []grafanaStep{{Color: "green"}}
	for _, l := range p.limits {
		t.Steps = append(t.Steps, grafanaStep{Color: colour[l.severity], Value: value(l.value)})
	}
	return t
}

func (l layout) grafanaTable(g *grafanaPanel, p panel) {
	g.Type = "table"
	g.Options = map[string]any{"showHeader": true, "cellHeight": "sm", "frameIndex": 0}
	rename := map[string]string{l.settings.Naming.Label(contract.AttrDependency): "Dependency"}
	for i, s := range p.series {
		g.Targets[i].Format, g.Targets[i].LegendFormat = "table", ""
		rename["Value #"+refID(i)] = s.title
		g.FieldConfig.Overrides = append(g.FieldConfig.Overrides, grafanaOverride{
			Matcher: grafanaMatcher{"byName", s.title}, Properties: []grafanaProperty{{"unit", grafanaUnit(s.unit)}, {"decimals", 3}},
		})
	}
	g.Transformations = []grafanaTransformation{
		{"merge", map[string]any{}},
		{"organize", map[string]any{"excludeByName": map[string]bool{"Time": true}, "renameByName": rename}},
	}
}

func grafanaStates(g *grafanaPanel) {
	g.Type = "state-timeline"
	g.Options = map[string]any{
		"showValue": "never", "mergeValues": true, "rowHeight": 0.8,
		"legend":  map[string]any{"showLegend": false, "displayMode": "list", "placement": "bottom", "calcs": []string{}},
		"tooltip": map[string]any{"mode": "single", "sort": "none"},
	}
	g.FieldConfig.Defaults.Mappings = []any{map[string]any{"type": "value", "options": map[string]any{
		"0": map[string]any{"text": "none", "color": "green", "index": 0},
		"1": map[string]any{"text": "pending", "color": "yellow", "index": 1},
		"2": map[string]any{"text": "firing", "color": "red", "index": 2},
	}}}
	g.FieldConfig.Defaults.Color = map[string]any{"mode": "thresholds"}
}

func grafanaUnit(u figures.Unit) string {
	switch u {
	case figures.Ratio:
		return "percentunit"
	case figures.Seconds:
		return "s"
	case figures.Rate:
		return "reqps"
	}
	return "none"
}

func refID(i int) string { return string(rune('A' + i)) }

func value(v float64) *float64 { return &v }
