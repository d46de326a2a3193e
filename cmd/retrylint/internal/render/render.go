// Package render prints findings: for people, for programs, and for the
// services that show findings beside the code. It decides nothing.
package render

import (
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// A Report is what is printed.
type Report struct {
	Findings []finding.Finding
	Problems []analyze.Problem

	// Stale are entries of the baseline that match no finding any more.
	Stale []finding.Key

	// Notes are remarks about the run that are no findings.
	Notes []string

	// Checks are those that ran, with their documentation.
	Checks []*analysis.Analyzer

	// Levels are the levels of the checks by name, where they are not the
	// default.
	Levels map[string]finding.Level

	// Root is the absolute directory to which paths are shown relative.
	Root string

	// Version is retrylint's own.
	Version string
}

// relative is the path below the root with slashes, or the path as it is when
// it lies elsewhere.
func (r Report) relative(path string) string {
	return relative(r.Root, path)
}

func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// level is the level of a check.
func (r Report) level(check string) finding.Level {
	if l, ok := r.Levels[check]; ok {
		return l
	}
	return finding.Warning
}

// summary is the first line of a check's documentation.
func summary(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return first
}
