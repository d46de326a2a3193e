package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// precision is how many findings of a check were read in public code, and how
// many of them were right.
type precision struct{ read, right int }

func (p precision) String() string {
	if p.read == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %% of %d", 100*float64(p.right)/float64(p.read), p.read)
}

// readPrecision reads a table with the columns check, read and right. Without
// the file, nothing was measured.
func readPrecision(name string) (map[string]precision, error) {
	measured := make(map[string]precision)
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return measured, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma = '\t'
	table.Comment = '#'
	rows, err := table.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	columns := make(map[string]int)
	for i, row := range rows {
		if i == 0 {
			for j, title := range row {
				columns[title] = j
			}
			for _, title := range []string{"check", "read", "right"} {
				if _, ok := columns[title]; !ok {
					return nil, fmt.Errorf("%s has no column %q", name, title)
				}
			}
			continue
		}
		read, err1 := strconv.Atoi(row[columns["read"]])
		right, err2 := strconv.Atoi(row[columns["right"]])
		if err := errors.Join(err1, err2); err != nil || right < 0 || right > read {
			return nil, fmt.Errorf("%s: row %d: want how many were read, and how many of them were right", name, i+1)
		}
		measured[row[columns["check"]]] = precision{read, right}
	}
	return measured, nil
}
