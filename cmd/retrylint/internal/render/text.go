package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/source"
)

// TextOptions are the settings of Text.
type TextOptions struct {
	// Color says whether to use colours.
	Color bool
	// Context is how many lines to show around the line at fault; a negative
	// number leaves that line out too, so that each finding is one line.
	Context int
}

const (
	bold  = "\x1b[1m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	cyan  = "\x1b[36m"
	faint = "\x1b[2m"
	reset = "\x1b[0m"
)

// Text prints findings for people: file:line:column: message (check), as
// editors understand it, with the source line, a caret below the place, and
// the places that explain it.
func Text(w io.Writer, r Report, opts TextOptions) error {
	out := bufio.NewWriter(w)
	p := textPrinter{out: out, report: r, opts: opts, lines: source.New()}
	for _, f := range r.Findings {
		p.finding(f)
	}
	return out.Flush()
}

type textPrinter struct {
	out    *bufio.Writer
	report Report
	opts   TextOptions
	lines  *source.Lines
}

func (p *textPrinter) paint(color, text string) string {
	if !p.opts.Color {
		return text
	}
	return color + text + reset
}

func (p *textPrinter) finding(f finding.Finding) {
	check := f.Check
	if f.Level != finding.Warning {
		check += ", " + string(f.Level)
	}
	fmt.Fprintf(p.out, "%s: %s %s\n", p.paint(bold, p.place(f.Range)), printable(f.Message), p.paint(cyan, "("+check+")"))
	if p.opts.Context < 0 {
		return
	}
	p.source(f.Range)
	for _, rel := range f.Related {
		fmt.Fprintf(p.out, "  %s: %s\n", p.paint(faint, p.place(rel.Range)), printable(rel.Message))
	}
	if c := f.Cost; c != nil {
		fmt.Fprintf(p.out, "  %s %s\n", p.paint(faint, "measured:"), costText(c))
	}
}

func (p *textPrinter) place(r finding.Range) string {
	return fmt.Sprintf("%s:%s", p.report.relative(r.File), r.Start)
}

// source shows the first line of a range with a caret below its start, and
// the lines around it.
func (p *textPrinter) source(r finding.Range) {
	if p.lines.Line(r.File, r.Start.Line) == "" {
		return // the file is gone, or derived from another that is not here
	}
	number := func(n int) string { return p.paint(faint, fmt.Sprintf("%6d |", n)) }
	first := max(1, r.Start.Line-p.opts.Context)
	for n := first; n <= r.Start.Line+p.opts.Context; n++ {
		line := p.lines.Line(r.File, n)
		if line == "" && n > r.Start.Line && p.lines.Line(r.File, n+1) == "" {
			break // the end of the file
		}
		fmt.Fprintf(p.out, "%s %s\n", number(n), printable(line))
		if n == r.Start.Line {
			fmt.Fprintf(p.out, "%s %s\n", p.paint(faint, "       |"), p.marker(line, r))
		}
	}
}

// marker is the line below the source line: a caret at the start of the range
// and tildes up to its end, or to the end of the line.
func (p *textPrinter) marker(line string, r finding.Range) string {
	start := min(max(r.Start.Column-1, 0), len(line))
	end := len(strings.TrimRight(line, " \t"))
	if r.End.Line == r.Start.Line {
		end = min(r.End.Column-1, len(line))
	}
	var indent strings.Builder
	for _, c := range line[:start] {
		if c == '\t' {
			indent.WriteRune('\t') // as wide as above, whatever the tab width
		} else {
			indent.WriteRune(' ')
		}
	}
	width := 0
	if end > start {
		width = len([]rune(line[start:end])) - 1
	}
	return indent.String() + p.paint(red, "^"+strings.Repeat("~", width))
}

// printable keeps a source line from steering the terminal.
func printable(line string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c == 0x7f {
			return '?'
		}
		return c
	}, line)
}

func costText(c *finding.Cost) string {
	rate := "- retries/s"
	if c.RetriesPerSecond != nil {
		rate = figure(*c.RetriesPerSecond) + " retries/s"
	}
	added := "- added"
	if c.AddedSeconds != nil {
		added = figure(*c.AddedSeconds) + " s added"
	}
	return fmt.Sprintf("%s/%s at %s: %d retries of %d requests, %s, %s", c.Dependency, c.Operation, c.CallSite, c.Retries, c.Requests, rate, added)
}

// figure is a number with three digits that count, and no exponent.
func figure(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}
