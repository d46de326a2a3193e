package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/retrykit/retrykit/internal/summary"
)

// column is one column of a table: how it is called and what it shows.
type column struct {
	title string
	left  bool
	cell  func(dependency, operation string, site *string, f *summary.Figures) string
}

func figure(title string, cell func(*summary.Figures) string) column {
	return column{title: title, cell: func(_, _ string, _ *string, f *summary.Figures) string { return cell(f) }}
}

func columns(wide bool) []column {
	cols := []column{
		{"DEPENDENCY", true, func(d, _ string, _ *string, _ *summary.Figures) string { return name(d) }},
		{"OPERATION", true, func(_, o string, _ *string, _ *summary.Figures) string { return name(o) }},
		figure("REQUESTS", func(f *summary.Figures) string { return count(f.Requests) }),
	}
	if wide {
		cols = append(cols, figure("ATTEMPTS", func(f *summary.Figures) string { return count(f.Attempts) }))
	}
	cols = append(cols,
		figure("ATT/REQ", func(f *summary.Figures) string { return ratio(f.AttemptsPerRequest) }),
		figure("FIRST", func(f *summary.Figures) string { return percent(f.FirstAttemptSuccess) }))
	if wide {
		cols = append(cols, figure("95% INTERVAL", func(f *summary.Figures) string {
			if f.FirstAttemptRange == nil {
				return dash
			}
			return percentOf(f.FirstAttemptRange[0]) + ".." + percentOf(f.FirstAttemptRange[1])
		}))
	}
	cols = append(cols,
		figure("EVENTUAL", func(f *summary.Figures) string { return percent(f.EventualSuccess) }),
		figure("ADDED", func(f *summary.Figures) string { return seconds(mean(f.AddedLatency)) }),
		figure("ADDED P95", func(f *summary.Figures) string { return seconds(p95(f.AddedLatency)) }))
	if wide {
		cols = append(cols,
			figure("ADDED P99", func(f *summary.Figures) string { return seconds(p99(f.AddedLatency)) }),
			figure("DURATION", func(f *summary.Figures) string { return seconds(mean(f.RequestDuration)) }),
			figure("P95", func(f *summary.Figures) string { return seconds(p95(f.RequestDuration)) }),
			figure("DEADLINE", func(f *summary.Figures) string { return count(f.DeadlineExhaustions) }),
			figure("BUDGET", func(f *summary.Figures) string { return count(f.BudgetRejections) }),
			figure("REPLAYS", func(f *summary.Figures) string { return count(f.Replays) }))
	}
	most := 3
	if wide {
		most = 12
	}
	cols = append(cols, column{"RETRIES BY CLASS", true, func(_, _ string, _ *string, f *summary.Figures) string {
		text := classes(f.RetriesByClass, most)
		if f.RetriesByClass == nil {
			if n, ok := f.Retries(); ok {
				text = count(&n)
			}
		}
		return text
	}})
	if wide {
		cols = append(cols,
			column{"RETRY SUCCESS", true, func(_, _ string, _ *string, f *summary.Figures) string {
				if f.RetrySuccessByClass == nil {
					return dash
				}
				var parts []string
				for _, class := range byCount(f.Retried) {
					if v, ok := f.RetrySuccessByClass[class]; ok {
						parts = append(parts, class+": "+percentOf(v))
					}
				}
				if parts == nil {
					return dash
				}
				return strings.Join(parts, ", ")
			}},
			column{"OUTCOMES", true, func(_, _ string, _ *string, f *summary.Figures) string { return classes(f.Outcomes, 12) }},
			column{"CALL SITE", true, func(_, _ string, site *string, _ *summary.Figures) string {
				if site == nil {
					return dash
				}
				return *site
			}})
	}
	return cols
}

func mean(d *summary.Distribution) *float64 {
	if d == nil {
		return nil
	}
	return d.Mean
}

func p95(d *summary.Distribution) *float64 {
	if d == nil {
		return nil
	}
	return d.P95
}

func p99(d *summary.Distribution) *float64 {
	if d == nil {
		return nil
	}
	return d.P99
}

func table(w io.Writer, s *summary.Summary, o Options) error { return aligned(w, s, columns(false), o) }

func wide(w io.Writer, s *summary.Summary, o Options) error { return aligned(w, s, columns(true), o) }

// rows returns the cells of every operation that is shown and, when more than
// one was measured, the total.
func rows(s *summary.Summary, cols []column) [][]string {
	var out [][]string
	for i := range s.Operations {
		op := &s.Operations[i]
		row := make([]string, len(cols))
		for j, c := range cols {
			row[j] = Printable(c.cell(op.Dependency, op.Operation, op.CallSite, &op.Figures))
		}
		out = append(out, row)
	}
	if len(s.Operations)+s.LeftOut != 1 {
		row := make([]string, len(cols))
		for j, c := range cols {
			row[j] = Printable(c.cell("total", "", nil, &s.Total))
		}
		out = append(out, row)
	}
	return out
}

// Printable keeps control characters, which names from a file may hold, from
// reaching a terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, text)
}

func aligned(w io.Writer, s *summary.Summary, cols []column, o Options) error {
	body := rows(s, cols)
	widths := make([]int, len(cols))
	for j, c := range cols {
		widths[j] = utf8.RuneCountInString(c.title)
		for _, row := range body {
			widths[j] = max(widths[j], utf8.RuneCountInString(row[j]))
		}
	}
	out := bufio.NewWriter(w)
	line := func(cells func(int) string, bold bool) {
		var b strings.Builder
		for j, c := range cols {
			text := cells(j)
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			if j > 0 {
				b.WriteString("  ")
			}
			if c.left {
				b.WriteString(text + pad)
			} else {
				b.WriteString(pad + text)
			}
		}
		text := strings.TrimRight(b.String(), " ")
		if bold && o.Color {
			text = "\x1b[1m" + text + "\x1b[0m"
		}
		fmt.Fprintln(out, text)
	}
	line(func(j int) string { return cols[j].title }, true)
	for _, row := range body {
		line(func(j int) string { return row[j] }, false)
	}
	fmt.Fprintln(out)
	for _, r := range remarks(s) {
		fmt.Fprintln(out, Printable(r))
	}
	return out.Flush()
}
