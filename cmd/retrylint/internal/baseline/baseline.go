// Package baseline remembers the findings that a code base has when retrylint
// is introduced, so that only new ones are reported.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// Version is the format of the file.
const Version = 1

// An Entry says how many findings of one key are known.
type Entry struct {
	Package string `json:"package"` // import path
	finding.Key
	Count int `json:"count"`
}

// A Baseline is the findings that are known. Their lines are not part of it:
// an entry holds the check, the function and the source line with its white
// space made equal, so that a finding stays known while code above it changes,
// and becomes new when its own line changes or moves to another function.
type Baseline struct {
	Version int     `json:"version"`
	Entries []Entry `json:"findings"`
}

// Of returns the baseline of findings.
func Of(findings []finding.Finding) Baseline {
	counts := make(map[Entry]int) // by entries without their counts
	for _, f := range findings {
		counts[Entry{Package: f.Package, Key: f.Key()}]++
	}
	b := Baseline{Version: Version, Entries: []Entry{}}
	for entry, count := range counts {
		entry.Count = count
		b.Entries = append(b.Entries, entry)
	}
	slices.SortFunc(b.Entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Function, y.Function), cmp.Compare(x.Check, y.Check), cmp.Compare(x.Snippet, y.Snippet))
	})
	return b
}

// JSON is the file of the baseline. Equal baselines have equal files.
func (b Baseline) JSON() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(b); err != nil {
		panic(fmt.Sprintf("baseline: strings and numbers can't be encoded: %v", err))
	}
	return out.Bytes()
}

// Read reads a file that -write-baseline wrote.
func Read(name string) (Baseline, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return Baseline{}, fmt.Errorf("the baseline can't be read: %w; make one with -write-baseline=%s", err, name)
	}
	b, err := Parse(data)
	if err != nil {
		return Baseline{}, fmt.Errorf("%s is no baseline: %w; make it anew with -write-baseline=%[1]s", name, err)
	}
	return b, nil
}

// Parse reads the content of a baseline file.
func Parse(data []byte) (Baseline, error) {
	var b Baseline
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return Baseline{}, err
	}
	if dec.More() {
		return Baseline{}, fmt.Errorf("something follows the JSON object")
	}
	if b.Version != Version {
		return Baseline{}, fmt.Errorf("it has version %d, and this retrylint reads version %d", b.Version, Version)
	}
	for i, e := range b.Entries {
		if e.Check == "" || e.Count < 1 {
			return Baseline{}, fmt.Errorf("finding %d has no check or a count below 1", i)
		}
	}
	return b, nil
}

// Filter returns the findings that the baseline does not know, and the entries
// of which fewer are left than it knows. Where a function has more findings of
// one key than are known, the last ones are the new ones.
//
// ran are the checks that ran, and packages those that were analysed; of
// others an entry says nothing, and is not stale.
func (b Baseline) Filter(findings []finding.Finding, ran func(check string) bool, analysed func(pkg string) bool) (fresh []finding.Finding, stale []finding.Key) {
	left := make(map[finding.Key]int)
	for _, e := range b.Entries {
		left[e.Key] += e.Count
	}
	for _, f := range findings {
		if key := f.Key(); left[key] > 0 {
			left[key]--
			continue
		}
		fresh = append(fresh, f)
	}
	for _, e := range b.Entries {
		if left[e.Key] > 0 && ran(e.Check) && analysed(e.Package) {
			stale = append(stale, e.Key)
			left[e.Key] = 0
		}
	}
	return fresh, stale
}
