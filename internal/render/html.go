package render

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/summary"
)

var (
	//go:embed uplot/uPlot.iife.min.js
	uplotJS string
	//go:embed uplot/uPlot.min.css
	uplotCSS string
	//go:embed report.html
	reportHTML string
	//go:embed report.js
	reportJS string
)

var reportTemplate = template.Must(template.New("report").Parse(reportHTML))

// page is what the template of the HTML report shows.
type page struct {
	UplotJS, ReportJS template.JS
	UplotCSS          template.CSS
	Window            string
	Headline          []headline
	Columns           []string
	Left              []bool
	Rows              [][]string
	Plots             []plot
	Unplotted         string // which plots there are not, and why
	Glossary          []figures.Figure
	Remarks           []string
}

type headline struct{ Title, Value, Help string }

// plot is a chart and, for who can't see it, its data as a table.
type plot struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	Unit   string       `json:"unit"` // "ratio", "seconds" or "count"
	Series []string     `json:"series"`
	Times  []int64      `json:"times"`  // seconds
	Values [][]*float64 `json:"values"` // by series; null: not known then
	Alt    string       `json:"-"`
	Table  [][]string   `json:"-"`
}

// writeHTML writes one self-contained file: no network, plots drawn by uPlot,
// the same data as tables.
func writeHTML(w io.Writer, s *summary.Summary) error {
	cols := columns(true)
	p := page{
		UplotJS: template.JS(uplotJS), ReportJS: template.JS(reportJS), UplotCSS: template.CSS(uplotCSS), //nolint:gosec // our own files
		Window: windowText(s.Window), Rows: rows(s, cols), Remarks: remarks(s),
		Headline: []headline{
			{"Requests", count(s.Total.Requests), "logical operations as their caller sees them"},
			{"Attempts per request", ratio(s.Total.AttemptsPerRequest), "the load that one request puts on its dependency"},
			{"First-attempt success", percent(s.Total.FirstAttemptSuccess), "of requests that were not canceled"},
			{"Eventual success", percent(s.Total.EventualSuccess), "retries included"},
			{"Latency added", seconds(mean(s.Total.AddedLatency)), "per request, by waits and further attempts"},
		},
	}
	p.Plots, p.Unplotted = plots(s)
	for _, c := range cols {
		p.Columns = append(p.Columns, c.title)
		p.Left = append(p.Left, c.left)
	}
	for _, f := range figures.Table() {
		if f.Value != nil {
			p.Glossary = append(p.Glossary, f)
		}
	}
	out := bufio.NewWriterSize(w, 64<<10) // a template writes each of its parts
	err := reportTemplate.Execute(out, p)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("the HTML report: %w", err)
	}
	return nil
}

// plots lays the timeline out as charts; a chart without any value is left
// out, which the text says.
func plots(s *summary.Summary) (out []plot, unplotted string) {
	classes := map[string]bool{}
	for _, slot := range s.Timeline {
		for class := range slot.RetriesByClass {
			classes[class] = true
		}
	}
	names := slices.Sorted(maps.Keys(classes))
	all := []struct {
		plot
		value func(slot *summary.Slot, series int) *float64
	}{
		{plot{ID: "attempts", Title: "Attempts per request", Unit: "ratio", Series: []string{"attempts per request"}}, func(x *summary.Slot, _ int) *float64 {
			return quotient(x.Attempts, x.Requests)
		}},
		{plot{ID: "first", Title: "First-attempt success", Unit: "percent", Series: []string{"first-attempt success"}}, func(x *summary.Slot, _ int) *float64 {
			return quotient(x.FirstSuccess, x.Eligible)
		}},
		{plot{ID: "classes", Title: "Retries by error class", Unit: "count", Series: names}, func(x *summary.Slot, i int) *float64 {
			n := x.RetriesByClass[names[i]]
			return &n
		}},
		{plot{ID: "added", Title: "Latency added per request", Unit: "seconds", Series: []string{"seconds added"}}, func(x *summary.Slot, _ int) *float64 {
			return quotient(x.AddedSeconds, x.Requests)
		}},
	}
	var without []string
	for _, p := range all {
		any := false
		p.Values = make([][]*float64, len(p.Series))
		for j := range s.Timeline {
			slot := &s.Timeline[j]
			p.Times = append(p.Times, slot.Start.Unix())
			row := []string{slot.Start.Format("2006-01-02 15:04:05 MST")}
			for i := range p.Series {
				v := p.value(slot, i)
				p.Values[i] = append(p.Values[i], v)
				any = any || v != nil
				row = append(row, cell(p.Unit, v))
			}
			p.Table = append(p.Table, row)
		}
		if !any {
			without = append(without, strings.ToLower(p.Title))
			continue
		}
		p.Alt = alternative(&p.plot)
		out = append(out, p.plot)
	}
	switch {
	case len(without) == 0:
		return out, ""
	case s.Window.End == nil && len(s.Operations) > 0:
		return out, "Nothing is plotted over time: what was read has no times."
	}
	return out, "Not plotted over time, because it is not known of every request: " + strings.Join(without, ", ") + "."
}

func cell(unit string, v *float64) string {
	switch unit {
	case "percent":
		return percent(v)
	case "seconds":
		return seconds(v)
	case "ratio":
		return ratio(v)
	}
	return count(v)
}

// alternative says in words what a chart shows.
func alternative(p *plot) string {
	text := p.Title + " over time."
	for i, name := range p.Series {
		var lo, hi *float64
		for _, v := range p.Values[i] {
			if v == nil {
				continue
			}
			if lo == nil || *v < *lo {
				lo = v
			}
			if hi == nil || *v > *hi {
				hi = v
			}
		}
		if lo != nil {
			text += fmt.Sprintf(" %s: from %s to %s.", name, cell(p.Unit, lo), cell(p.Unit, hi))
		}
	}
	return text
}

func quotient(a *float64, b float64) *float64 {
	if a == nil || b <= 0 {
		return nil
	}
	v := *a / b
	return &v
}
