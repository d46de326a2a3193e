// Package options defines retrylint's flags: those of the checks, those that
// go vet may pass, and those of the standalone driver.
package options

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/internal/misspelt"
)

// A Suite is what a driver runs.
type Suite struct {
	Default []*analysis.Analyzer // run unless told otherwise
	OptIn   []*analysis.Analyzer // run when asked for

	// Extra find no faults. They run when asked for by name, and "all" does
	// not mean them.
	Extra []*analysis.Analyzer

	// UnusedIgnores reports comments that silence nothing. It runs under the
	// flag -unused-ignores.
	UnusedIgnores *analysis.Analyzer
}

// All returns everything that has a flag of its name, those of Default first.
func (s Suite) All() []*analysis.Analyzer { return slices.Concat(s.Default, s.OptIn, s.Extra) }

// Lookup returns the check of the given name, nil if there is none.
func (s Suite) Lookup(name string) *analysis.Analyzer {
	for _, a := range s.All() {
		if a.Name == name {
			return a
		}
	}
	if s.UnusedIgnores != nil && s.UnusedIgnores.Name == name {
		return s.UnusedIgnores
	}
	return nil
}

// NoCheck is the error for a name that is no check, and none of the others that
// it could be.
func (s Suite) NoCheck(name string, others ...string) error {
	known := others
	for _, a := range s.All() {
		known = append(known, a.Name)
	}
	if near := misspelt.Nearest(name, known); len(near) > 0 {
		return fmt.Errorf("there is no check %q; did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no check %q; \"retrylint help\" lists them", name)
}

// Checks are the settings that decide what runs, and how. go vet can pass all
// of them.
type Checks struct {
	suite         Suite
	list          string
	enable        map[string]*triState
	unusedIgnores bool
}

// Register defines the flags of the checks in fs: -<check> and
// -<check>.<flag> for each of them, -checks, -unused-ignores, and the flags of
// what the checks stand on, such as -tests.
func Register(fs *flag.FlagSet, suite Suite) *Checks {
	c := &Checks{suite: suite, enable: make(map[string]*triState)}
	fs.StringVar(&c.list, "checks", "default", "checks to run, separated by commas: names, \"default\", \"all\", and -name to leave one out")
	for _, a := range suite.All() {
		state := new(triState)
		c.enable[a.Name] = state
		fs.Var(state, a.Name, title(a)+"; if any check is named by such a flag, only those named run")
		a.Flags.VisitAll(func(f *flag.Flag) { fs.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	for _, a := range foundations(suite.All()) {
		a.Flags.VisitAll(func(f *flag.Flag) {
			if f.Name != factsOnly && f.Name != toldElsewhere && fs.Lookup(f.Name) == nil {
				fs.Var(f.Value, f.Name, f.Usage)
			}
		})
	}
	if suite.UnusedIgnores != nil {
		fs.BoolVar(&c.unusedIgnores, "unused-ignores", false, "also report comments that silence nothing")
	}
	return c
}

// Selected returns the checks to run, in the order of the suite. It must be
// called after the flags were parsed. An error names what is no check.
func (c *Checks) Selected() ([]*analysis.Analyzer, error) {
	wanted, err := c.fromList()
	if err != nil {
		return nil, err
	}
	named := false
	for _, state := range c.enable {
		named = named || *state == setTrue
	}
	var selected []*analysis.Analyzer
	for _, a := range c.suite.All() {
		state := *c.enable[a.Name]
		// go vet's own rule: naming one check leaves out those not named.
		if state == setTrue || state == unset && !named && wanted[a.Name] {
			selected = append(selected, a)
		}
	}
	if c.unusedIgnores {
		for _, a := range foundations(c.suite.All()) {
			if a.Flags.Lookup(toldElsewhere) == nil {
				continue
			}
			if err := a.Flags.Set(toldElsewhere, "true"); err != nil {
				return nil, err
			}
		}
		selected = append(selected, c.suite.UnusedIgnores)
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("no check is left to run; see -checks and the flags named after checks")
	}
	return selected, nil
}

func (c *Checks) fromList() (map[string]bool, error) {
	wanted := make(map[string]bool)
	set := func(checks []*analysis.Analyzer, on bool) {
		for _, a := range checks {
			wanted[a.Name] = on
		}
	}
	for i, item := range strings.Split(c.list, ",") {
		name, off := strings.CutPrefix(strings.TrimSpace(item), "-")
		if off && i == 0 {
			set(c.suite.Default, true) // a list that only takes away starts from what is on
		}
		switch name {
		case "default":
			set(c.suite.Default, !off)
		case "all":
			set(slices.Concat(c.suite.Default, c.suite.OptIn), !off)
		case "":
			if !off && c.list != "" {
				continue
			}
			return nil, fmt.Errorf("-checks=%s: a name is empty; write names separated by commas", c.list)
		default:
			if _, known := c.enable[name]; !known {
				return nil, fmt.Errorf("-checks=%s: %w", c.list, c.suite.NoCheck(name))
			}
			wanted[name] = !off
		}
	}
	return wanted, nil
}

// factsOnly is the flag by which a driver tells what checks stand on that a
// package is looked at only for what others have to know of it. It is not the
// user's to set.
const factsOnly = "facts-only"

// toldElsewhere is the flag by which a driver tells what checks stand on that
// Suite.UnusedIgnores runs, which reports comments without a reason itself.
const toldElsewhere = "incomplete-told-elsewhere"

// FactsOnly returns the analyzers that export facts, whatever checks were
// chosen, and tells those below the checks that nothing but facts is wanted of
// the packages to come.
func (s Suite) FactsOnly() ([]*analysis.Analyzer, error) {
	var exporting []*analysis.Analyzer
	for _, a := range slices.Concat(foundations(s.All()), s.All()) {
		if len(a.FactTypes) > 0 {
			exporting = append(exporting, a)
		}
		if a.Flags.Lookup(factsOnly) != nil {
			if err := a.Flags.Set(factsOnly, "true"); err != nil {
				return nil, err
			}
		}
	}
	return exporting, nil
}

// foundations returns the analyzers that checks require, without the checks.
func foundations(checks []*analysis.Analyzer) []*analysis.Analyzer {
	var found []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	for _, a := range checks {
		seen[a] = true
	}
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		for _, req := range a.Requires {
			if !seen[req] {
				seen[req] = true
				found = append(found, req)
			}
			visit(req)
		}
	}
	for _, a := range checks {
		visit(a)
	}
	return found
}

func title(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return strings.TrimSuffix(first, ".")
}

// PrintChecks writes the names of the checks with what each is about.
func (s Suite) PrintChecks(w io.Writer) {
	width := 0
	for _, a := range s.All() {
		width = max(width, len(a.Name))
	}
	for _, a := range s.Default {
		fmt.Fprintf(w, "    %-*s  %s\n", width, a.Name, title(a))
	}
	if len(s.OptIn) > 0 {
		fmt.Fprintf(w, "\nOff by default, run with -checks=default,<name>:\n\n")
	}
	for _, a := range s.OptIn {
		fmt.Fprintf(w, "    %-*s  %s\n", width, a.Name, title(a))
	}
	if len(s.Extra) > 0 {
		fmt.Fprintf(w, "\nNo faults, run alone with -<name>:\n\n")
	}
	for _, a := range s.Extra {
		fmt.Fprintf(w, "    %-*s  %s\n", width, a.Name, title(a))
	}
}

// A triState is a boolean flag that knows whether it was set.
type triState int

const (
	unset triState = iota
	setTrue
	setFalse
)

func (t *triState) IsBoolFlag() bool { return true }

func (t *triState) String() string {
	if t != nil && *t == setFalse {
		return "false"
	}
	return "true"
}

func (t *triState) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	*t = setFalse
	if on {
		*t = setTrue
	}
	return nil
}
