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
func Text(source string) string {
	text, name := comment(source)
	text, ok := strings.CutPrefix(text, "Package "+name+" ")
	if !ok {
		panic(fmt.Sprintf("checkdoc: the package comment of %s must begin with %q", name, "Package "+name+" "))
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

// comment returns the package comment and the name of the package. A file of
// nothing but line comments and a package clause needs no parser, which would
// take its time for each check whenever the program starts.
func comment(source string) (text, name string) {
	comments, clause, ok := strings.Cut("\n"+source, "\npackage ")
	if !ok {
		panic("checkdoc: doc.go has no package clause")
	}
	var b strings.Builder
	b.Grow(len(comments))
	for line := range strings.SplitSeq(strings.TrimSpace(comments), "\n") {
		line, ok := strings.CutPrefix(line, "//")
		if !ok {
			panic(fmt.Sprintf("checkdoc: doc.go has %q before its package clause, which is no line comment", line))
		}
		b.WriteString(strings.TrimRight(strings.TrimPrefix(line, " "), " \t"))
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String()), strings.TrimSpace(clause)
}
