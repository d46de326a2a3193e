package render

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// GitHub prints findings as workflow commands, which GitHub Actions shows as
// annotations of the changed files.
func GitHub(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	commands := map[finding.Level]string{finding.Error: "error", finding.Warning: "warning", finding.Note: "notice"}
	for _, f := range r.Findings {
		place := fmt.Sprintf("file=%s,line=%d", githubProperty(filepath.ToSlash(r.relative(f.File))), f.Start.Line)
		if f.End.Line == f.Start.Line && f.Start.Column > 0 {
			// Columns are refused for what is longer than a line.
			place += fmt.Sprintf(",col=%d,endColumn=%d", f.Start.Column, max(f.Start.Column, f.End.Column-1))
		} else {
			place += fmt.Sprintf(",endLine=%d", f.End.Line)
		}
		fmt.Fprintf(out, "::%s %s,title=%s::%s\n", commands[f.Level], place, githubProperty("retrylint: "+f.Check), githubData(f.Message))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "::error title=%s::%s\n", githubProperty("retrylint"), githubData(p.String()))
	}
	return out.Flush()
}

// githubData escapes the message of a workflow command, githubProperty a
// property, as the toolkit of GitHub Actions does.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
