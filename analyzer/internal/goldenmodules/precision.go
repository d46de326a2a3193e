package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A verdict is what reading the code said of one finding.
type verdict struct {
	module, place, check string
	right                bool
	reason               string
}

// readVerdicts reads a table with the columns module, place, check, verdict
// (right or wrong) and reason. A finding has one verdict.
func readVerdicts(file string) ([]verdict, error) {
	rows, err := readTable(file, "module", "place", "check", "verdict", "reason")
	if err != nil {
		return nil, err
	}
	var verdicts []verdict
	for i, row := range rows {
		v := verdict{row["module"], row["place"], row["check"], row["verdict"] == "right", row["reason"]}
		if !v.right && row["verdict"] != "wrong" {
			return nil, fmt.Errorf("%s: row %d: the verdict is right or wrong, not %q", file, i+1, row["verdict"])
		}
		if v.reason == "" {
			return nil, fmt.Errorf("%s: row %d: a verdict has a reason", file, i+1)
		}
		if slices.ContainsFunc(verdicts, func(o verdict) bool { return o.module == v.module && o.place == v.place && o.check == v.check }) {
			return nil, fmt.Errorf("%s: row %d: a second verdict on %s at %s of %s", file, i+1, v.check, v.place, v.module)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// A count is of the findings of one check.
type count struct {
	read, right           int // of those that are still reported
	firstRead, firstRight int // of all that ever were
}

// counts counts the verdicts by check. reported says of a module, a place and a
// check whether the golden file has such a finding.
func counts(verdicts []verdict, reported func(verdict) bool) map[string]count {
	byCheck := make(map[string]count)
	for _, v := range verdicts {
		c := byCheck[v.check]
		right := 0
		if v.right {
			right = 1
		}
		c.firstRead, c.firstRight = c.firstRead+1, c.firstRight+right
		if reported(v) {
			c.read, c.right = c.read+1, c.right+right
		}
		byCheck[v.check] = c
	}
	return byCheck
}

// writePrecision writes docs/precision.tsv and the table in docs/precision.md.
func writePrecision(root string) error {
	files, err := precisionFiles(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// precisionFiles returns what writePrecision writes, by file.
func precisionFiles(root string) (map[string]string, error) {
	golden := filepath.Join(root, "testdata", "golden")
	modules, err := readModules(filepath.Join(golden, "modules.tsv"))
	if err != nil {
		return nil, err
	}
	verdicts, err := readVerdicts(filepath.Join(golden, "verdicts.tsv"))
	if err != nil {
		return nil, err
	}
	reported := make(map[[3]string]bool)
	total := 0
	for _, m := range modules {
		findings, err := readGolden(filepath.Join(golden, m.name+".tsv"))
		if err != nil {
			return nil, err
		}
		total += len(findings)
		for _, f := range findings {
			reported[[3]string{m.name, f.place, f.check}] = true
		}
	}
	stillMade := func(v verdict) bool { return reported[[3]string{v.module, v.place, v.check}] }
	byCheck := counts(verdicts, stillMade)
	unseen := make(map[string]bool)
	for _, m := range modules {
		if m.unseen {
			unseen[m.name] = true
		}
	}
	known := slices.DeleteFunc(slices.Clone(verdicts), func(v verdict) bool { return unseen[v.module] })
	first := slices.DeleteFunc(slices.Clone(verdicts), func(v verdict) bool { return !unseen[v.module] })

	name := filepath.Join(root, "docs", "precision.md")
	page, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	const begin, end = "<!-- begin precision -->\n", "<!-- end precision -->"
	before, rest, ok1 := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("%s has no lines %q and %q", name, strings.TrimSpace(begin), end)
	}
	return map[string]string{
		name: before + begin + markdown(byCheck, len(modules), total) +
			sights(len(unseen), counts(first, stillMade), len(modules)-len(unseen), counts(known, stillMade)) + end + after,
		filepath.Join(root, "docs", "precision.tsv"): table(byCheck),
	}, nil
}

func table(byCheck map[string]count) string {
	var text strings.Builder
	text.WriteString("check\tread\tright\n")
	for _, check := range slices.Sorted(maps.Keys(byCheck)) {
		if c := byCheck[check]; c.read > 0 {
			fmt.Fprintf(&text, "%s\t%d\t%d\n", check, c.read, c.right)
		}
	}
	return text.String()
}

// sights is a table of how the findings in the modules that no check had been
// changed for held up when they were first read, and how they do now.
func sights(unseen int, first map[string]count, known int, others map[string]count) string {
	var text strings.Builder
	text.WriteString("| modules | | right at first sight | right now |\n|---|---:|---:|---:|\n")
	row := func(name string, modules int, byCheck map[string]count) {
		var sum count
		for _, c := range byCheck {
			sum.read, sum.right = sum.read+c.read, sum.right+c.right
			sum.firstRead, sum.firstRight = sum.firstRead+c.firstRead, sum.firstRight+c.firstRight
		}
		fmt.Fprintf(&text, "| %s | %d | %s | %s |\n", name, modules, share(sum.firstRight, sum.firstRead), share(sum.right, sum.read))
	}
	row("not seen before", unseen, first)
	row("the others", known, others)
	text.WriteString("\n")
	return text.String()
}

func share(right, read int) string {
	if read == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d, %.0f %%", right, read, 100*float64(right)/float64(read))
}

func markdown(byCheck map[string]count, modules, findings int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%d modules, %d findings.\n\n", modules, findings)
	text.WriteString("| check | read | right | precision | ever read | right at first |\n|---|---:|---:|---:|---:|---:|\n")
	var sum count
	row := func(name string, c count) {
		precision := "-"
		if c.read > 0 {
			precision = fmt.Sprintf("%.0f %%", 100*float64(c.right)/float64(c.read))
		}
		fmt.Fprintf(&text, "| %s | %d | %d | %s | %d | %.0f %% |\n", name, c.read, c.right, precision,
			c.firstRead, 100*float64(c.firstRight)/float64(max(c.firstRead, 1)))
	}
	for _, check := range slices.Sorted(maps.Keys(byCheck)) {
		c := byCheck[check]
		row("["+check+"](checks/"+check+".md)", c)
		sum.read, sum.right = sum.read+c.read, sum.right+c.right
		sum.firstRead, sum.firstRight = sum.firstRead+c.firstRead, sum.firstRight+c.firstRight
	}
	row("all", sum)
	text.WriteString("\n")
	return text.String()
}
