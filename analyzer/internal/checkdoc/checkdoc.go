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
	"strings"
)

// Text returns the package comment of a Go source file without the words
// "Package <name>" that it has to begin with: a summary sentence on the first
// line, a blank line, and the rest as it stands. It panics when the comment
// is missing or begins otherwise, which a check's first test shows.
//
// A file of nothing but line comments and a package clause needs no parser,
// and its text is copied once: go vet starts the program for each package, and
// each start does this for every check.
func Text(source string) string {
	comments, clause, ok := strings.Cut(source, "\npackage ")
	if !ok {
		panic("checkdoc: doc.go has no package clause")
	}
	name := strings.TrimSpace(clause)
	first, rest, _ := strings.Cut(comments, "\n//\n")
	summary, more := opening(first, name)

	var b strings.Builder
	b.Grow(len(comments))
	b.WriteString(strings.TrimSuffix(summary, "."))
	b.WriteString("\n\n")
	if more != "" {
		b.WriteString(more + "\n\n")
	}
	for line := range strings.SplitSeq(rest, "\n") {
		b.WriteString(uncommented(line))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

// opening is the comment's first paragraph without the words that it has to
// begin with, and without its breaks of lines. The summary is one sentence;
// what follows it becomes a paragraph of its own.
func opening(paragraph, name string) (summary, more string) {
	var words []string
	for line := range strings.SplitSeq(paragraph, "\n") {
		words = append(words, strings.Fields(uncommented(line))...)
	}
	text, ok := strings.CutPrefix(strings.Join(words, " "), "Package "+name+" ")
	if !ok {
		panic(fmt.Sprintf("checkdoc: the package comment of %s must begin with %q", name, "Package "+name+" "))
	}
	if summary, more, ok = strings.Cut(text, ". "); ok {
		return summary + ".", more
	}
	return text, ""
}

// uncommented is a line of a comment without its slashes.
func uncommented(line string) string {
	if line == "" {
		return ""
	}
	text, ok := strings.CutPrefix(line, "//")
	if !ok {
		panic(fmt.Sprintf("checkdoc: doc.go has %q before its package clause, which is no line comment", line))
	}
	return strings.TrimRight(strings.TrimPrefix(text, " "), " \t")
}
