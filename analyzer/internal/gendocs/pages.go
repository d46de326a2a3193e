package main

import (
	"flag"
	"fmt"
	"go/doc/comment"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/migrate"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
)

const generated = "<!-- Written by go run ./analyzer/internal/gendocs; edit the doc.go of the check instead. -->\n\n"

// pages returns the text of every page by file name.
func pages(root string) (map[string]string, error) {
	measured, err := readPrecision(filepath.Join(root, "docs", "precision.tsv"))
	if err != nil {
		return nil, err
	}
	all := make(map[string]string)
	var index strings.Builder
	index.WriteString(generated)
	index.WriteString(indexHead)
	for _, a := range analyzer.All() {
		byDefault := slices.Contains(analyzer.Default(), a)
		fix, err := hasFix(root, a.Name)
		if err != nil {
			return nil, err
		}
		all[a.Name+".md"] = page(a, byDefault, fix, measured[a.Name])
		fmt.Fprintf(&index, "| [%s](%[1]s.md) | %s | %s | %s | %s |\n", a.Name, strings.TrimPrefix(summary(a), "reports "), tier(byDefault), yes(fix), measured[a.Name])
	}
	index.WriteString(indexFoot)
	all["README.md"] = index.String()
	all["unusedignore.md"] = page(unusedignore.Analyzer, false, false, precision{})
	all["migrate.md"] = page(migrate.Analyzer, false, true, precision{})
	return all, nil
}

const indexHead = `# The checks of retrylint

| check | reports | runs | fix | precision |
|---|---|---|---|---|
`

const indexFoot = `
Precision is, of the findings that the checks still make on the golden modules,
the share that was judged right, with their number; a dash means that none were
read. The checks have learned from these modules, so code that they never saw
will show less: [precision](../precision.md) has each check's share at first sight.
The aim is 95 %. A check that misses it after thirty findings
no longer runs by default, but when it is asked for, by -checks=default,NAME;
with fewer a figure says too little.

How to run retrylint, choose checks and silence them: [retrylint](../retrylint.md).
[unusedignore](unusedignore.md) reports comments that silence nothing, and
[migrate](migrate.md) turns plain retry loops into calls of otelretry.
`

// page is the page of one check.
func page(a *analysis.Analyzer, byDefault, fix bool, p precision) string {
	var out strings.Builder
	out.WriteString(generated)
	fmt.Fprintf(&out, "# %s\n\n%s.\n\n", a.Name, capital(summary(a)))
	switch {
	case a == unusedignore.Analyzer:
		out.WriteString("Runs with -unused-ignores.")
	case byDefault:
		out.WriteString("Runs by default.")
	case a == migrate.Analyzer:
		out.WriteString("Runs with -migrate, alone.")
	default:
		fmt.Fprintf(&out, "Off by default: -checks=default,%s.", a.Name)
	}
	if fix {
		out.WriteString(" Offers a fix that -fix applies.")
	}
	if p.read > 0 {
		fmt.Fprintf(&out, " [Precision](../precision.md): %s.", p)
	}
	out.WriteString("\n\n")
	_, text, _ := strings.Cut(a.Doc, "\n\n")
	out.WriteString(markdown(text))

	first := true
	a.Flags.VisitAll(func(f *flag.Flag) {
		if first {
			out.WriteString("\n## Flags\n\n")
			first = false
		}
		name, usage := flag.UnquoteUsage(f)
		if name != "" {
			name = " " + name
		}
		def := ""
		if f.DefValue != "" && f.DefValue != "false" {
			def = fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(&out, "- `-%s.%s%s`: %s%s\n", a.Name, f.Name, name, usage, def)
	})
	return out.String()
}

// markdown turns the text of a doc comment into Markdown, with code marked as
// Go.
func markdown(text string) string {
	var parser comment.Parser
	printer := comment.Printer{
		HeadingLevel: 2,
		HeadingID:    func(*comment.Heading) string { return "" },
	}
	doc := parser.Parse(text)
	var parts []string
	for _, block := range doc.Content {
		if code, ok := block.(*comment.Code); ok {
			parts = append(parts, "```go\n"+code.Text+"```\n")
			continue
		}
		parts = append(parts, string(printer.Markdown(&comment.Doc{Content: []comment.Block{block}, Links: doc.Links})))
	}
	return strings.Join(parts, "\n")
}

func summary(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return strings.TrimSuffix(first, ".")
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func tier(byDefault bool) string {
	if byDefault {
		return "by default"
	}
	return "when asked for"
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// hasFix says whether a check offers fixes that are applied, by the goldens of
// its tests.
func hasFix(root, check string) (bool, error) {
	found, err := filepath.Glob(filepath.Join(root, "analyzer", check, "testdata", "src", "*", "*.golden"))
	return len(found) > 0, err
}
