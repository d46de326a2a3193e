package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/retrykit/retrykit/internal/compare"
)

// DiffFormats returns the outputs that Diff knows.
func DiffFormats() []Format { return []Format{"table", "json"} }

// Diff writes what changed.
func Diff(w io.Writer, format Format, changes []compare.Change, total compare.Change) error {
	switch format {
	case "table":
		return diffTable(w, changes, total)
	case "json":
		return diffJSON(w, changes, total)
	}
	return fmt.Errorf("unknown format %q: use one of %v", format, DiffFormats())
}

func diffTable(w io.Writer, changes []compare.Change, total compare.Change) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "DEPENDENCY\tOPERATION\tN BEFORE\tN AFTER\tFIRST\t\t95% INTERVAL\tP\t\tEVENTUAL\tP\t\tATT/REQ\tADDED")
	all := changes
	if len(changes) != 1 {
		all = append(append([]compare.Change{}, changes...), total)
	}
	for i := range all {
		c := &all[i]
		row := []string{Printable(name(c.Dependency)), Printable(name(c.Operation)), count(c.Requests[0]), count(c.Requests[1])}
		if c.Missing != "" {
			row = append(row, "only "+map[string]string{"before": "after", "after": "before"}[c.Missing])
			fmt.Fprintln(out, strings.Join(row, "\t"))
			continue
		}
		row = append(row, percent(c.First.Before)+" -> "+percent(c.First.After), delta(&c.First), interval(&c.First), p(&c.First), verdict(&c.First))
		row = append(row, percent(c.Eventual.Before)+" -> "+percent(c.Eventual.After), p(&c.Eventual), verdict(&c.Eventual))
		row = append(row, ratio(c.Attempts[0])+" -> "+ratio(c.Attempts[1]), seconds(c.Added[0])+" -> "+seconds(c.Added[1]))
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n~: chance explains the change (p >= %.2f); n counts requests; intervals are of the difference, in percentage points\n", compare.Alpha)
	return err
}

func delta(s *compare.Share) string {
	if s.P == nil {
		return dash
	}
	if !s.Significant() {
		return "~"
	}
	return fmt.Sprintf("%+.2f", 100*(*s.After-*s.Before))
}

func interval(s *compare.Share) string {
	if s.Interval == nil {
		return dash
	}
	return fmt.Sprintf("%+.2f..%+.2f", 100*s.Interval[0], 100*s.Interval[1])
}

func p(s *compare.Share) string {
	switch {
	case s.P == nil:
		return dash
	case *s.P < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", *s.P)
}

func verdict(s *compare.Share) string {
	switch {
	case s.P == nil:
		return ""
	case !s.Significant():
		return "~"
	case *s.After < *s.Before:
		return "worse"
	}
	return "better"
}

func diffJSON(w io.Writer, changes []compare.Change, total compare.Change) error {
	type share struct {
		Before      *float64    `json:"before"`
		After       *float64    `json:"after"`
		N           [2]float64  `json:"n"`
		Interval    *[2]float64 `json:"difference_interval"`
		P           *float64    `json:"p"`
		Significant bool        `json:"significant"`
	}
	type change struct {
		Dependency string      `json:"dependency"`
		Operation  string      `json:"operation"`
		Missing    string      `json:"missing,omitempty"`
		Requests   [2]*float64 `json:"requests"`
		First      share       `json:"first_attempt_success"`
		Eventual   share       `json:"eventual_success"`
		Retried    share       `json:"retried_requests"`
		Attempts   [2]*float64 `json:"attempts_per_request"`
		Added      [2]*float64 `json:"added_latency_seconds"`
	}
	of := func(s *compare.Share) share {
		return share{s.Before, s.After, s.N, s.Interval, s.P, s.Significant()}
	}
	convert := func(c *compare.Change) change {
		return change{c.Dependency, c.Operation, c.Missing, c.Requests, of(&c.First), of(&c.Eventual), of(&c.Retried), c.Attempts, c.Added}
	}
	out := struct {
		SchemaVersion int      `json:"schema_version"`
		Operations    []change `json:"operations"`
		Total         change   `json:"total"`
	}{SchemaVersion: 1, Operations: []change{}, Total: convert(&total)}
	for i := range changes {
		out.Operations = append(out.Operations, convert(&changes[i]))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}
