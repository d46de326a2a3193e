// Package finding is what the standalone driver knows of one diagnostic, free
// of syntax trees, so that it can be sorted, filtered, compared with a
// baseline and printed in any format.
package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Level says how much a finding matters.
type Level string

// The levels, most severe first. Warning is what every check has unless the
// user says otherwise.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Levels are all levels, most severe first.
var Levels = []Level{Error, Warning, Note}

// ParseLevel returns the level of the given name.
func ParseLevel(name string) (Level, error) {
	if l := Level(name); slices.Contains(Levels, l) {
		return l, nil
	}
	return "", fmt.Errorf("%q is no level; levels are error, warning and note", name)
}

// AtLeast says whether l is as severe as other or more.
func (l Level) AtLeast(other Level) bool {
	return slices.Index(Levels, l) <= slices.Index(Levels, other)
}

// A Position is a place in a file. Lines and columns count from 1, columns in
// bytes; 0 means not known.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// String is the position as the go command writes it: line:column, or the line
// alone where the column is not known.
func (p Position) String() string {
	if p.Column == 0 {
		return strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// A Range is a part of a file.
type Range struct {
	File  string   `json:"file"` // absolute
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Related is a further place that explains a finding.
type Related struct {
	Range
	Message string `json:"message"`
}

// An Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File  string `json:"file"` // absolute
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`

	// Range is the same part by line and column.
	Range Range `json:"range"`
}

// A Fix is a change that removes the fault.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// A Finding is one diagnostic of one check.
type Finding struct {
	Check   string `json:"check"`
	Level   Level  `json:"level"`
	Message string `json:"message"`
	URL     string `json:"url,omitempty"`
	Package string `json:"package"` // import path
	// Function is the declaration that holds the place, with the import path
	// of its package: "example.com/shop.(*Client).Charge".
	Function string `json:"function"`
	// FunctionLines are the first and last line of that declaration.
	FunctionLines [2]int `json:"-"`
	Range
	// Snippet is the source line at Start, without its indentation.
	Snippet string    `json:"snippet"`
	Related []Related `json:"related,omitempty"`
	Fixes   []Fix     `json:"fixes,omitempty"`

	// Fingerprint stays the same when lines above the finding come or go. It
	// is set by Number.
	Fingerprint string `json:"fingerprint"`

	// Cost is what the place costs at run time; nil when nothing was measured.
	Cost *Cost `json:"cost,omitempty"`
}

// Cost is what telemetry says of the place of a finding.
type Cost struct {
	Dependency string `json:"dependency"`
	Operation  string `json:"operation"`
	CallSite   string `json:"call_site"`
	// Requests is how many the figures stand on.
	Requests int64 `json:"requests"`
	Retries  int64 `json:"retries"`
	// RetriesPerSecond over the window of the report; nil when the report
	// has no window.
	RetriesPerSecond *float64 `json:"retries_per_second"`
	// AddedSeconds is the time that retries added to all requests together;
	// nil when it was not measured.
	AddedSeconds *float64 `json:"added_seconds"`
}

// Compare orders findings by place, then by check and message.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Start.Line, b.Start.Line),
		cmp.Compare(a.Start.Column, b.Start.Column),
		cmp.Compare(a.Check, b.Check),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort sorts findings and drops those that are there twice: a file that is
// compiled for its package and for its test is analysed twice.
func Sort(findings []Finding) []Finding {
	slices.SortFunc(findings, Compare)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return Compare(a, b) == 0 })
}

// A Key says which finding this is, whatever its line: the check, the function
// and the source line with its white space made equal.
type Key struct {
	Check    string `json:"check"`
	Function string `json:"function"`
	Snippet  string `json:"snippet"`
}

// Key returns the key of f. Findings may share one, when a function has the
// same line twice.
func (f Finding) Key() Key {
	return Key{f.Check, f.Function, strings.Join(strings.Fields(f.Snippet), " ")}
}

// Number sets the fingerprints of findings, which must be sorted: a hash of
// the key, and of the rank among those that share it.
func Number(findings []Finding) {
	seen := make(map[Key]int)
	for i := range findings {
		key := findings[i].Key()
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", key.Check, key.Function, key.Snippet, seen[key]))
		seen[key]++
		findings[i].Fingerprint = hex.EncodeToString(sum[:16])
	}
}
