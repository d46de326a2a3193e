package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/summary"
)

// writeCSV writes a line per operation and one for the total, a column per
// figure of the table that has one value; numbers are not rounded, and what is
// not known is empty. Names are written as they are, also those that a
// spreadsheet would run as formulas: a mark before them would be another name to
// every program that reads this.
func writeCSV(w io.Writer, s *summary.Summary) error {
	c := csv.NewWriter(w)
	var table []figures.Figure
	header := []string{"dependency", "operation", "call_site"}
	for _, f := range figures.Table() {
		if f.Value != nil && !f.ByClass {
			table = append(table, f)
			header = append(header, f.ID)
		}
	}
	for _, o := range contract.Outcomes() {
		header = append(header, "outcome_"+o)
	}
	header = append(header, "retries_by_class")
	if err := c.Write(header); err != nil {
		return err
	}
	line := func(dependency, operation string, site *string, f *summary.Figures) error {
		record := []string{dependency, operation, ""}
		if site != nil {
			record[2] = *site
		}
		for _, x := range table {
			cell := ""
			if v, ok := x.Get(f); ok {
				cell = strconv.FormatFloat(v, 'g', -1, 64)
			}
			record = append(record, cell)
		}
		for _, o := range contract.Outcomes() {
			cell := ""
			if f.Outcomes != nil {
				cell = strconv.FormatFloat(f.Outcomes[o], 'g', -1, 64)
			}
			record = append(record, cell)
		}
		byClass := ""
		if f.RetriesByClass != nil {
			byClass = classes(f.RetriesByClass, 1<<30)
		}
		return c.Write(append(record, byClass))
	}
	for i := range s.Operations {
		op := &s.Operations[i]
		if err := line(op.Dependency, op.Operation, op.CallSite, &op.Figures); err != nil {
			return err
		}
	}
	if err := line("total", "", nil, &s.Total); err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// markdown writes the table for a pull request or a wiki.
func markdown(w io.Writer, s *summary.Summary) error {
	cols := columns(false)
	var b strings.Builder
	for _, c := range cols {
		b.WriteString("| " + strings.ToLower(c.title) + " ")
	}
	b.WriteString("|\n")
	for _, c := range cols {
		if c.left {
			b.WriteString("| --- ")
		} else {
			b.WriteString("| ---: ")
		}
	}
	b.WriteString("|\n")
	for _, row := range rows(s, cols) {
		for _, cell := range row {
			b.WriteString("| " + escapeMarkdown(cell) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
	for _, r := range remarks(s) {
		b.WriteString("- " + escapeMarkdown(Printable(r)) + "\n")
	}
	_, err := fmt.Fprint(w, b.String())
	return err
}

// markdownSigns are what means something within a cell.
var markdownSigns = strings.NewReplacer(`\`, `\\`, "|", `\|`, "&", "&amp;", "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`",
	"[", `\[`, "]", `\]`, "~", `\~`)

func escapeMarkdown(text string) string {
	return markdownSigns.Replace(text)
}
