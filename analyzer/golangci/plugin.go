// Package golangci makes retrylint a linter of golangci-lint, by its module
// plugin system. Nothing but golangci-lint uses it: build one with retrylint
// in it from a .custom-gcl.yml,
//
//	version: v2.15.0
//	plugins:
//	  - module: github.com/retrykit/retrykit
//	    import: github.com/retrykit/retrykit/analyzer/golangci
//	    version: latest
//
// by "golangci-lint custom", and enable it in .golangci.yml:
//
//	version: "2"
//	linters:
//	  enable: [retrylint]
//	  settings:
//	    custom:
//	      retrylint:
//	        type: module
//	        settings:
//	          disable: [nojitter]
//	          flags: {blindsleep.reachable: true}
package golangci

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
)

func init() {
	register.Plugin("retrylint", New)
}

// Settings are what .golangci.yml may say.
type Settings struct {
	// Enable are checks to run beside those that are on by default.
	Enable []string `json:"enable"`
	// Disable are checks not to run.
	Disable []string `json:"disable"`
	// Flags are the flags of the checks, "<check>.<flag>", and of what they
	// stand on ("tests"), with their values.
	Flags map[string]any `json:"flags"`
	// UnusedIgnores reports comments that silence nothing.
	UnusedIgnores bool `json:"unused-ignores"`
}

// New makes the plugin from its settings. It refuses names and values that
// mean nothing.
func New(conf any) (register.LinterPlugin, error) {
	settings, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, fmt.Errorf("retrylint: %w", err)
	}
	p := &plugin{settings: settings}
	if _, err := p.BuildAnalyzers(); err != nil {
		return nil, err
	}
	return p, nil
}

type plugin struct{ settings Settings }

// GetLoadMode says that the checks need types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers returns the checks that the settings ask for.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	all := analyzer.All()
	named := func(name string) func(*analysis.Analyzer) bool {
		return func(a *analysis.Analyzer) bool { return a.Name == name }
	}
	var errs []error
	for _, name := range slices.Concat(p.settings.Enable, p.settings.Disable) {
		if !slices.ContainsFunc(all, named(name)) {
			errs = append(errs, fmt.Errorf("retrylint: there is no check %q", name))
		}
	}
	for name, value := range p.settings.Flags {
		f := lookup(all, name)
		if f == nil {
			errs = append(errs, fmt.Errorf("retrylint: there is no flag %q", name))
			continue
		}
		if err := f.Value.Set(fmt.Sprint(value)); err != nil {
			errs = append(errs, fmt.Errorf("retrylint: flag %s: %v: %w", name, value, err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	checks := analyzer.Default()
	for _, a := range analyzer.OptIn() {
		if slices.Contains(p.settings.Enable, a.Name) {
			checks = append(checks, a)
		}
	}
	checks = slices.DeleteFunc(checks, func(a *analysis.Analyzer) bool { return slices.Contains(p.settings.Disable, a.Name) })
	if err := suppress.Analyzer.Flags.Set(suppress.ToldElsewhere, fmt.Sprint(p.settings.UnusedIgnores)); err != nil {
		return nil, fmt.Errorf("retrylint: %w", err)
	}
	if p.settings.UnusedIgnores {
		checks = append(checks, unusedignore.Analyzer)
	}
	for i, a := range checks {
		checks[i] = withoutRelated(a)
	}
	return checks, nil
}

// withoutRelated is a check whose findings name one place. golangci-lint makes
// a finding of its own of each further place, which would be four for one.
func withoutRelated(a *analysis.Analyzer) *analysis.Analyzer {
	alone := *a
	alone.Run = func(pass *analysis.Pass) (any, error) {
		own := *pass
		own.Report = func(d analysis.Diagnostic) {
			d.Related = nil
			pass.Report(d)
		}
		return a.Run(&own)
	}
	return &alone
}

// lookup finds "<check>.<flag>", or "<flag>" of what the checks stand on.
func lookup(checks []*analysis.Analyzer, name string) *flag.Flag {
	for _, a := range checks {
		var found *flag.Flag
		a.Flags.VisitAll(func(f *flag.Flag) {
			if a.Name+"."+f.Name == name {
				found = f
			}
		})
		if found != nil {
			return found
		}
		for _, req := range a.Requires {
			if f := req.Flags.Lookup(name); f != nil && !slices.Contains(checks, req) {
				return f
			}
		}
	}
	return nil
}
