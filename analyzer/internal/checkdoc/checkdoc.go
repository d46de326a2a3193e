// Package checkdoc turns the package comment of a check's doc.go into the
// text of its Analyzer, so that a check is documented once: the same words
// are on pkg.go.dev, in "retrylint help <check>" and in docs/checks.
//
// A check embeds its doc.go and hands it to Text:
//
//	//go:embed doc.go
//	var source string
//
//	var Analyzer = &analysis.Analyzer{Name: "bareretry", Doc: checkdoc.Text(source), ...}
//
// The comment begins with a sentence of the form "Package bareretry reports
// retries that ...", its summary. Sections begin with a heading ("# Before").
package checkdoc

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// Text returns the package comment of a Go source file without the words
// "Package <name>" that it has to begin with: a summary sentence on the first
// line, a blank line, and the rest as it stands. It panics when the comment
// is missing or begins otherwise, which a check's first test shows.
func Text(source string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		panic(fmt.Sprintf("checkdoc: doc.go is no Go source: %v", err))
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(file.Doc.Text()), "Package "+file.Name.Name+" ")
	if !ok {
		panic(fmt.Sprintf("checkdoc: the package comment of %s must begin with %q", file.Name.Name, "Package "+file.Name.Name+" "))
	}
	first, rest, _ := strings.Cut(text, "\n\n")
	first = strings.Join(strings.Fields(first), " ")
	// The summary is one sentence; what follows it in its paragraph becomes a
	// paragraph of its own.
	if summary, more, ok := strings.Cut(first, ". "); ok {
		first = summary + "."
		rest = strings.TrimSpace(more + "\n\n" + rest)
	}
	summary := strings.TrimSuffix(first, ".")
	if rest == "" {
		return summary
	}
	return summary + "\n\n" + rest
}
