package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A report is what the JSON format of retrylint has and a golden file needs.
type report struct {
	Findings []struct {
		Check, Message, Package, Function, File string
		Start                                   struct{ Line int }
	}
	Problems []struct{ Package, Position, Message string }
}

// A finding is one line of a golden file.
type finding struct{ place, check, function, message string }

const titles = "place\tcheck\tfunction\tmessage"

// text is the golden file: the packages that could not be analysed as
// comments, a line of titles, and a line a finding, in the order of their
// places. Places are relative to source.
func (r report) text(source string) (string, error) {
	var findings []finding
	lines := make(map[string]int)
	for _, f := range r.Findings {
		name, err := filepath.Rel(source, f.File)
		if err != nil || strings.HasPrefix(name, "..") {
			return "", fmt.Errorf("a finding is outside of the module's folder: %s", f.File)
		}
		place := fmt.Sprintf("%s:%d", filepath.ToSlash(name), f.Start.Line)
		lines[place] = f.Start.Line
		_, function, _ := strings.Cut(strings.TrimPrefix(f.Function, f.Package), ".")
		findings = append(findings, finding{place, f.Check, function, f.Message})
	}
	slices.SortFunc(findings, func(a, b finding) int {
		file := func(f finding) string { return f.place[:strings.LastIndexByte(f.place, ':')] }
		return cmp.Or(cmp.Compare(file(a), file(b)), cmp.Compare(lines[a.place], lines[b.place]),
			cmp.Compare(a.check, b.check), cmp.Compare(a.message, b.message))
	})
	var text strings.Builder
	for _, p := range r.Problems {
		message := strings.ReplaceAll(p.Message, source, "")
		fmt.Fprintf(&text, "# not analysed: %s: %s\n", p.Package, message)
	}
	text.WriteString(titles + "\n")
	for _, f := range findings {
		fmt.Fprintf(&text, "%s\t%s\t%s\t%s\n", f.place, f.check, f.function, f.message)
	}
	return text.String(), nil
}

// readGolden reads the findings of a golden file.
func readGolden(file string) ([]finding, error) {
	rows, err := readTable(file, strings.Split(titles, "\t")...)
	if err != nil {
		return nil, err
	}
	var findings []finding
	for _, row := range rows {
		findings = append(findings, finding{row["place"], row["check"], row["function"], row["message"]})
	}
	return findings, nil
}

// compare returns the lines that one text has and the other lacks, those of
// old after a -, those of new after a +.
func compare(old, new string) string {
	var diff strings.Builder
	before, after := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	for _, line := range before {
		if line != "" && !slices.Contains(after, line) {
			diff.WriteString("-" + line)
		}
	}
	for _, line := range after {
		if line != "" && !slices.Contains(before, line) {
			diff.WriteString("+" + line)
		}
	}
	return diff.String()
}
