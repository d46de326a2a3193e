package render

import (
	"encoding/xml"
	"io"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// Checkstyle prints findings as Checkstyle does, in XML, which most CI
// servers read.
func Checkstyle(w io.Writer, r Report) error {
	type problem struct {
		Line     int    `xml:"line,attr,omitempty"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
	type file struct {
		Name     string    `xml:"name,attr"`
		Problems []problem `xml:"error"`
	}
	report := struct {
		XMLName xml.Name `xml:"checkstyle"`
		Version string   `xml:"version,attr"`
		Files   []file   `xml:"file"`
	}{Version: "5.0"}

	severities := map[finding.Level]string{finding.Error: "error", finding.Warning: "warning", finding.Note: "info"}
	add := func(name string, p problem) {
		if n := len(report.Files); n == 0 || report.Files[n-1].Name != name {
			report.Files = append(report.Files, file{Name: name})
		}
		last := &report.Files[len(report.Files)-1]
		last.Problems = append(last.Problems, p)
	}
	for _, f := range r.Findings {
		add(r.relative(f.File), problem{f.Start.Line, f.Start.Column, severities[f.Level], f.Message, "retrylint." + f.Check})
	}
	for _, p := range r.Problems {
		add(p.Package, problem{Severity: "error", Message: p.String(), Source: "retrylint"})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "\t")
	if err := enc.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
