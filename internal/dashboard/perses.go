package dashboard

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/rules"
)

type persesDashboard struct {
	Kind     string         `json:"kind"`
	Metadata persesMetadata `json:"metadata"`
	Spec     persesSpec     `json:"spec"`
}

type persesMetadata struct {
	Name    string `json:"name"`
	Project string `json:"project"`
}

type persesSpec struct {
	Display         persesDisplay          `json:"display"`
	Variables       []persesDefinition     `json:"variables"`
	Panels          map[string]persesPanel `json:"panels"`
	Layouts         []persesLayout         `json:"layouts"`
	Duration        string                 `json:"duration"`
	RefreshInterval string                 `json:"refreshInterval"`
}

type persesDisplay struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// persesDefinition is Perses' way to say what something is: a plugin, a
// variable, a query.
type persesDefinition struct {
	Kind string `json:"kind"`
	Spec any    `json:"spec"`
}

type persesVariable struct {
	Name           string           `json:"name"`
	Display        persesDisplay    `json:"display"`
	DefaultValue   any              `json:"defaultValue,omitempty"`
	AllowMultiple  bool             `json:"allowMultiple"`
	AllowAllValue  bool             `json:"allowAllValue"`
	CustomAllValue string           `json:"customAllValue,omitempty"`
	Capturing      string           `json:"capturingRegexp,omitempty"`
	Sort           string           `json:"sort,omitempty"`
	Plugin         persesDefinition `json:"plugin"`
}

type persesPanel struct {
	Kind string          `json:"kind"`
	Spec persesPanelSpec `json:"spec"`
}

type persesPanelSpec struct {
	Display persesDisplay    `json:"display"`
	Plugin  persesDefinition `json:"plugin"`
	Queries []persesQuery    `json:"queries"`
}

type persesQuery struct {
	Kind string `json:"kind"`
	Spec struct {
		Plugin persesDefinition `json:"plugin"`
	} `json:"spec"`
}

type persesPromQL struct {
	Datasource persesDatasource `json:"datasource"`
	Query      string           `json:"query"`
	Legend     string           `json:"seriesNameFormat,omitempty"`
}

// persesDatasource is a reference to the variable that holds a data source.
type persesDatasource string

type persesLayout struct {
	Kind string         `json:"kind"`
	Spec persesGridSpec `json:"spec"`
}

type persesGridSpec struct {
	Display struct {
		Title    string `json:"title"`
		Collapse struct {
			Open bool `json:"open"`
		} `json:"collapse"`
	} `json:"display"`
	Items []persesItem `json:"items"`
}

type persesItem struct {
	X       int               `json:"x"`
	Y       int               `json:"y"`
	Width   int               `json:"width"`
	Height  int               `json:"height"`
	Content map[string]string `json:"content"`
}

// Specs of the panel plugins.

type persesTimeSeries struct {
	Legend     persesLegend      `json:"legend"`
	YAxis      persesYAxis       `json:"yAxis"`
	Thresholds *persesThresholds `json:"thresholds,omitempty"`
	Visual     persesVisual      `json:"visual"`
}

type persesLegend struct {
	Position string   `json:"position"`
	Mode     string   `json:"mode,omitempty"`
	Values   []string `json:"values,omitempty"`
}

type persesYAxis struct {
	Format *persesFormat `json:"format,omitempty"`
	Min    *float64      `json:"min,omitempty"`
	Max    *float64      `json:"max,omitempty"`
}

type persesFormat struct {
	Unit          string `json:"unit"`
	DecimalPlaces *int   `json:"decimalPlaces,omitempty"`
}

type persesThresholds struct {
	Mode         string       `json:"mode"`
	DefaultColor string       `json:"defaultColor,omitempty"`
	Steps        []persesStep `json:"steps"`
}

type persesStep struct {
	Value float64 `json:"value"`
	Color string  `json:"color"`
	Name  string  `json:"name"`
}

type persesVisual struct {
	LineWidth   float64 `json:"lineWidth"`
	AreaOpacity float64 `json:"areaOpacity"`
}

type persesTable struct {
	Density    string             `json:"density"`
	Columns    []persesColumn     `json:"columnSettings"`
	Transforms []persesDefinition `json:"transforms"`
}

type persesColumn struct {
	Name   string        `json:"name"`
	Header string        `json:"header,omitempty"`
	Format *persesFormat `json:"format,omitempty"`
	Hide   bool          `json:"hide,omitempty"`
}

type persesStates struct {
	Legend   persesLegend       `json:"legend"`
	Mappings []persesDefinition `json:"mappings"`
}

// WritePerses writes the dashboard as a Perses resource of the project.
func WritePerses(w io.Writer, s rules.Settings, project string) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if !persesName.MatchString(project) {
		return fmt.Errorf("project %q: Perses takes letters, digits, and _ . - in a name, 75 at most", project)
	}
	l := newLayout(s)
	d := persesDashboard{
		Kind: "Dashboard", Metadata: persesMetadata{UID, project},
		Spec: persesSpec{
			Display:   persesDisplay{Title, "What retries cost: attempts per request, first-attempt against eventual success, added latency. Written by retrystat dashboard."},
			Variables: l.persesVariables(), Panels: map[string]persesPanel{}, Duration: "6h", RefreshInterval: "30s",
		},
	}
	for _, r := range l.rows {
		grid := persesGridSpec{}
		grid.Display.Title, grid.Display.Collapse.Open = r.title, true
		x, y := 0, 0
		for _, p := range r.panels {
			if x+p.width > 24 {
				x, y = 0, y+height
			}
			name := key(r.title, p.title)
			d.Spec.Panels[name] = l.persesPanel(p)
			grid.Items = append(grid.Items, persesItem{x, y, p.width, height, map[string]string{"$ref": "#/spec/panels/" + name}})
			x += p.width
		}
		d.Spec.Layouts = append(d.Spec.Layouts, persesLayout{"Grid", grid})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return fmt.Errorf("write the dashboard: %w", err)
	}
	return nil
}

// persesName is what Perses takes as the name of a resource.
var persesName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,75}$`)

const persesPrometheus = persesDatasource("$" + varPrometheus)

func (l layout) persesVariables() []persesDefinition {
	naming := l.settings.Naming
	names := func(name, label, attr, series string) persesDefinition {
		v := persesVariable{
			Name: name, Display: persesDisplay{Name: label}, DefaultValue: []string{"$__all"}, AllowMultiple: true,
			AllowAllValue: true, CustomAllValue: ".*", Sort: "alphabetical-asc",
			Plugin: persesDefinition{"PrometheusLabelValuesVariable", map[string]any{
				"datasource": persesPrometheus, "labelName": naming.Label(attr), "matchers": []string{series},
			}},
		}
		return persesDefinition{"ListVariable", v}
	}
	q := l.query(nil)
	q.Matchers, q.OperationMatchers = l.settings.Selectors, nil
	return []persesDefinition{
		{"ListVariable", persesVariable{
			Name: varPrometheus, Display: persesDisplay{Name: "Metrics"},
			Plugin: persesDefinition{"DatasourceVariable", map[string]any{"datasourcePluginKind": "PrometheusDatasource"}},
		}},
		names(varDependency, "Dependency", contract.AttrDependency, q.Series(contract.Requests)),
		names(varOperation, "Operation", contract.AttrOperation,
			q.Series(contract.Requests, q.Match(contract.AttrDependency, "=~", "$"+varDependency))),
		{"ListVariable", persesVariable{
			Name: varWindow, Display: persesDisplay{Name: "Window"}, DefaultValue: l.window(),
			Plugin: persesDefinition{"StaticListVariable", map[string]any{"values": windows}},
		}},
	}
}

func (l layout) persesPanel(p panel) persesPanel {
	out := persesPanel{Kind: "Panel", Spec: persesPanelSpec{Display: persesDisplay{p.title, p.help}}}
	for _, s := range p.series {
		q := persesQuery{Kind: "TimeSeriesQuery"}
		q.Spec.Plugin = persesDefinition{"PrometheusTimeSeriesQuery", persesPromQL{persesPrometheus, s.query, l.legend(s)}}
		out.Spec.Queries = append(out.Spec.Queries, q)
	}
	switch p.kind {
	case lines:
		out.Spec.Plugin = persesDefinition{"TimeSeriesChart", persesLines(p)}
	case table:
		out.Spec.Plugin = persesDefinition{"Table", l.persesTable(p)}
	case states:
		out.Spec.Plugin = persesDefinition{"StatusHistoryChart", persesStates{
			Legend: persesLegend{Position: "bottom"},
			Mappings: []persesDefinition{
				stateMapping("0", "none", green), stateMapping("1", "pending", yellow), stateMapping("2", "firing", red),
			},
		}}
	}
	return out
}

// Colours, readable on light and dark grounds.
const (
	green  = "#2e9c4f"
	yellow = "#d9a400"
	orange = "#e07b1a"
	red    = "#d0342c"
)

func stateMapping(value, text, colour string) persesDefinition {
	return persesDefinition{"Value", map[string]any{"value": value, "result": map[string]string{"value": text, "color": colour}}}
}

func persesLines(p panel) persesTimeSeries {
	t := persesTimeSeries{
		Legend: persesLegend{Position: "bottom", Mode: "table", Values: []string{"last", "max"}},
		YAxis:  persesYAxis{Format: persesUnit(p.unit)}, Visual: persesVisual{LineWidth: 1.5, AreaOpacity: 0.05},
	}
	if p.unit == figures.Ratio && !p.atLeast || p.unit == figures.Seconds || p.unit == figures.Rate {
		t.YAxis.Min = value(0)
	}
	if len(p.limits) > 0 {
		t.Thresholds = &persesThresholds{Mode: "absolute", DefaultColor: green}
		colour := map[string]string{rules.Ticket: orange, rules.Page: red}
		for _, l := range p.limits {
			t.Thresholds.Steps = append(t.Thresholds.Steps, persesStep{l.value, colour[l.severity], l.severity})
		}
		if p.atLeast {
			t.Thresholds.DefaultColor, t.Thresholds.Steps[0].Color = orange, green
			t.Thresholds.Steps[0].Name = "objective"
		}
	}
	return t
}

func (l layout) persesTable(p panel) persesTable {
	dependency := l.settings.Naming.Label(contract.AttrDependency)
	t := persesTable{
		Density: "compact",
		Columns: []persesColumn{{Name: "timestamp", Hide: true}, {Name: dependency, Header: "Dependency"}},
		Transforms: []persesDefinition{
			{"JoinByColumnValue", map[string]any{"columns": []string{dependency}}},
		},
	}
	for i, s := range p.series {
		t.Columns = append(t.Columns,
			persesColumn{Name: fmt.Sprintf("value #%d", i+1), Header: s.title, Format: persesUnit(s.unit)},
			persesColumn{Name: fmt.Sprintf("timestamp #%d", i+1), Hide: true})
	}
	return t
}

func persesUnit(u figures.Unit) *persesFormat {
	places := 3
	switch u {
	case figures.Ratio:
		places = 2
		return &persesFormat{"percent-decimal", &places}
	case figures.Seconds:
		return &persesFormat{"seconds", &places}
	case figures.Rate:
		return &persesFormat{"requests/sec", &places}
	}
	return &persesFormat{"decimal", &places}
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)

// key makes a name that Perses takes as an identifier.
func key(parts ...string) string {
	return strings.Trim(notInName.ReplaceAllString(strings.ToLower(strings.Join(parts, "-")), "-"), "-")
}
