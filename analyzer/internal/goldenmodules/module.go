package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A module is one row of modules.tsv.
type module struct {
	name     string // of its golden file
	path     string
	version  string
	sum      string   // what go.sum says of the module's content, "h1:..."
	patterns []string // packages, relative to the module's root
	// unseen says that its findings were read before any check was changed for
	// the sake of it.
	unseen bool
}

// readModules reads a table with the columns name, module, version, sum,
// packages and unseen (yes or no).
func readModules(file string) ([]module, error) {
	rows, err := readTable(file, "name", "module", "version", "sum", "packages", "unseen")
	if err != nil {
		return nil, err
	}
	var modules []module
	for i, row := range rows {
		m := module{name: row["name"], path: row["module"], version: row["version"], sum: row["sum"], patterns: strings.Fields(row["packages"]), unseen: row["unseen"] == "yes"}
		if m.name == "" || m.path == "" || m.version == "" || m.sum == "" || len(m.patterns) == 0 {
			return nil, fmt.Errorf("%s: row %d: every column must have a value", file, i+1)
		}
		if !m.unseen && row["unseen"] != "no" {
			return nil, fmt.Errorf("%s: row %d: unseen is yes or no, not %q", file, i+1, row["unseen"])
		}
		if slices.ContainsFunc(modules, func(other module) bool { return other.name == m.name }) {
			return nil, fmt.Errorf("%s: row %d: a second module is called %q", file, i+1, m.name)
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// readTable reads a table with a line of titles, columns separated by tabs;
// lines that start with # are comments. The columns of the given titles must
// be there.
func readTable(file string, titles ...string) ([]map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table := csv.NewReader(f)
	table.Comma, table.Comment, table.LazyQuotes = '\t', '#', true
	lines, err := table.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s has no line of titles", file)
	}
	for _, title := range titles {
		if !slices.Contains(lines[0], title) {
			return nil, fmt.Errorf("%s has no column %q", file, title)
		}
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, title := range lines[0] {
			row[title] = strings.TrimSpace(line[i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}
