// Package render writes a summary for people and for programs: one file per
// output. What is not known is a dash, or null, never 0.
package render

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/retrykit/retrykit/internal/summary"
)

// Format is an output.
type Format string

// Formats returns the outputs that Write knows.
func Formats() []Format { return []Format{"table", "wide", "json", "csv", "markdown", "html"} }

// Options say how to write.
type Options struct {
	Color bool // for terminals
}

// Write writes the summary in a format.
func Write(w io.Writer, format Format, s *summary.Summary, options Options) error {
	switch format {
	case "table":
		return table(w, s, options)
	case "wide":
		return wide(w, s, options)
	case "json":
		return writeJSON(w, s)
	case "csv":
		return writeCSV(w, s)
	case "markdown":
		return markdown(w, s)
	case "html":
		return writeHTML(w, s)
	}
	return fmt.Errorf("unknown format %q: use one of %v", format, Formats())
}

const dash = "-"

func count(v *float64) string {
	if v == nil {
		return dash
	}
	if *v == math.Trunc(*v) && math.Abs(*v) < 1e15 {
		return strconv.FormatFloat(*v, 'f', -1, 64)
	}
	return strconv.FormatFloat(*v, 'f', 1, 64)
}

func ratio(v *float64) string {
	if v == nil {
		return dash
	}
	return strconv.FormatFloat(*v, 'f', 3, 64)
}

// percent shows a share; what is not quite 0 or 100 % is not rounded to it.
func percent(v *float64) string {
	if v == nil {
		return dash
	}
	return percentOf(*v)
}

func percentOf(v float64) string {
	text := strconv.FormatFloat(100*v, 'f', 2, 64)
	switch {
	case text == "100.00" && v < 1:
		text = "99.99"
	case text == "0.00" && v > 0:
		text = "0.01"
	}
	return text + "%"
}

func seconds(v *float64) string {
	if v == nil {
		return dash
	}
	return secondsOf(*v)
}

func secondsOf(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a < 1e-3:
		return trimFloat(v*1e6) + "us"
	case a < 1:
		return trimFloat(v*1e3) + "ms"
	case a < 120:
		return trimFloat(v) + "s"
	}
	return time.Duration(v * float64(time.Second)).Round(time.Second).String()
}

func trimFloat(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// classes lists counts by class, most first: "503: 12, timeout: 3".
func classes(m map[string]float64, most int) string {
	if m == nil {
		return dash
	}
	if len(m) == 0 {
		return "none"
	}
	names := byCount(m)
	var parts []string
	for i, name := range names {
		if m[name] == 0 {
			continue
		}
		if i >= most && len(names) > most+1 {
			var rest float64
			for _, n := range names[i:] {
				rest += m[n]
			}
			parts = append(parts, fmt.Sprintf("%d more: %s", len(names)-i, count(&rest)))
			break
		}
		n := m[name]
		parts = append(parts, name+": "+count(&n))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func byCount(m map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if m[a] != m[b] {
			if m[a] > m[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

func name(s string) string {
	if s == "" {
		return dash
	}
	return s
}

func windowText(w summary.Window) string {
	if w.Start == nil || w.End == nil {
		return "times unknown"
	}
	return fmt.Sprintf("%s to %s (%s)", w.Start.Format(time.RFC3339), w.End.Format(time.RFC3339),
		w.End.Sub(*w.Start).Round(time.Second))
}

// remarks are the lines under a report: what was read, what was left out, and
// what else there is to know about the figures.
func remarks(s *summary.Summary) []string {
	in := s.Input
	window := windowText(s.Window)
	if len(s.Operations) == 0 && s.Window.Start == nil {
		window = "nothing measured"
	}
	lines := []string{fmt.Sprintf("%s: %s, %s, %s, %s", window, counted(in.Files, "file"), bytesText(in.Bytes), counted(in.Points, "point"), counted(in.Spans, "span"))}
	for _, x := range in.Skipped {
		lines = append(lines, fmt.Sprintf("skipped: %d x %s, first at %s", x.Count, x.Reason, x.Example))
	}
	for _, n := range s.Notes {
		lines = append(lines, "note: "+n)
	}
	if s.Interrupted {
		lines = append(lines, "interrupted: the figures cover only what was read until then")
	}
	return lines
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func bytesText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d B", n)
}
