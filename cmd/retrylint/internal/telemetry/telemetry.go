// Package telemetry ties findings to what their places cost at run time, as
// retrystat report --format json measured it.
package telemetry

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
)

// schemaVersion is the version of the report that this package reads.
const schemaVersion = 1

// A Report is the part of retrystat's report that findings are joined to.
// What is nil was not measured.
type Report struct {
	SchemaVersion int `json:"schema_version"`
	Window        struct {
		Start *time.Time `json:"start"`
		End   *time.Time `json:"end"`
	} `json:"window"`
	Operations []Operation `json:"operations"`
}

// An Operation is what was measured of one operation of one dependency.
type Operation struct {
	Dependency   string  `json:"dependency"`
	Operation    string  `json:"operation"`
	CallSite     *string `json:"call_site"` // file:line
	Requests     *int64  `json:"requests"`
	Attempts     *int64  `json:"attempts"`
	AddedLatency *struct {
		Mean *float64 `json:"mean"` // seconds, over all requests
	} `json:"added_latency_seconds"`
}

// Read reads a report from a file.
func Read(name string) (*Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("the telemetry report can't be read: %w", err)
	}
	report, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s is no report of retrystat: %w; make one with retrystat report --format json", name, err)
	}
	return report, nil
}

// Parse reads the content of a report.
func Parse(data []byte) (*Report, error) {
	var report Report
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&report); err != nil {
		return nil, err
	}
	if report.SchemaVersion != schemaVersion {
		return nil, fmt.Errorf("its schema_version is %d, and this retrylint reads %d", report.SchemaVersion, schemaVersion)
	}
	return &report, nil
}

// Unmatched says what of a report found no finding.
type Unmatched struct {
	Operations   int // in the report
	NoCallSite   int // that do not say where they are called
	NoFinding    int // whose call site is in no function with a finding
	BadCallSites []string
}

// Join sets the costs of findings, and orders them by cost: most retries a
// second first, then most time added; findings without a measured place come
// last, in source order. root is the directory below which the sources are.
//
// A call site belongs to a finding when it is in the same function. Telemetry
// names files as the compiler did: with the directory of the build machine, or
// after the import path under -trimpath. Both are recognised.
func (r *Report) Join(findings []finding.Finding, root string) Unmatched {
	unmatched := Unmatched{Operations: len(r.Operations)}
	type candidate struct {
		cost     *finding.Cost
		distance int
	}
	best := make([]candidate, len(findings))
	for _, op := range r.Operations {
		if op.CallSite == nil || *op.CallSite == "" {
			unmatched.NoCallSite++
			continue
		}
		file, line, err := splitCallSite(*op.CallSite)
		if err != nil {
			unmatched.BadCallSites = append(unmatched.BadCallSites, err.Error())
			continue
		}
		cost := r.cost(op)
		matched := false
		for i, f := range findings {
			if line < f.FunctionLines[0] || line > f.FunctionLines[1] || !sameFile(file, f, root) {
				continue
			}
			matched = true
			d := distance(line, f)
			if best[i].cost == nil || d < best[i].distance {
				best[i] = candidate{cost, d}
			}
		}
		if !matched {
			unmatched.NoFinding++
		}
	}
	for i := range findings {
		findings[i].Cost = best[i].cost
	}
	slices.SortStableFunc(findings, func(a, b finding.Finding) int { return compareCost(a.Cost, b.Cost) })
	return unmatched
}

// cost is what an operation costs by the report.
func (r *Report) cost(op Operation) *finding.Cost {
	c := &finding.Cost{Dependency: op.Dependency, Operation: op.Operation, CallSite: *op.CallSite}
	if op.Requests != nil {
		c.Requests = *op.Requests
		if op.Attempts != nil {
			c.Retries = max(0, *op.Attempts-*op.Requests)
			if r.Window.Start != nil && r.Window.End != nil {
				if window := r.Window.End.Sub(*r.Window.Start).Seconds(); window > 0 {
					rate := float64(c.Retries) / window
					c.RetriesPerSecond = &rate
				}
			}
		}
		if op.AddedLatency != nil && op.AddedLatency.Mean != nil {
			if added := *op.AddedLatency.Mean * float64(c.Requests); !math.IsInf(added, 0) {
				c.AddedSeconds = &added
			}
		}
	}
	return c
}

func compareCost(a, b *finding.Cost) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	value := func(p *float64) float64 {
		if p == nil {
			return -1
		}
		return *p
	}
	return cmp.Or(
		cmp.Compare(value(b.RetriesPerSecond), value(a.RetriesPerSecond)),
		cmp.Compare(b.Retries, a.Retries),
		cmp.Compare(value(b.AddedSeconds), value(a.AddedSeconds)),
	)
}

func splitCallSite(site string) (file string, line int, err error) {
	i := strings.LastIndexByte(site, ':')
	if i > 0 {
		if line, err := strconv.Atoi(site[i+1:]); err == nil && line > 0 {
			return strings.ReplaceAll(site[:i], `\`, "/"), line, nil
		}
	}
	return "", 0, fmt.Errorf("the call site %q is not of the form file:line", site)
}

// sameFile says whether the file of a call site is that of a finding.
func sameFile(site string, f finding.Finding, root string) bool {
	name := filepath.ToSlash(f.File)
	if site == name || site == f.Package+"/"+path.Base(name) {
		return true
	}
	rel, err := filepath.Rel(root, f.File)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	rel = filepath.ToSlash(rel)
	if site == rel {
		return true
	}
	dir, ok := strings.CutSuffix(site, "/"+rel)
	if !ok {
		return false
	}
	// A file of the root directory has a name that other modules have too; it
	// is the same only if the directory above is.
	above := path.Base(dir)
	return strings.Contains(rel, "/") || above == filepath.Base(root) || above == path.Base(f.Package)
}

// distance is how far a call site is from the lines of a finding.
func distance(line int, f finding.Finding) int {
	switch {
	case line < f.Start.Line:
		return f.Start.Line - line
	case line > f.End.Line:
		return line - f.End.Line
	}
	return 0
}
