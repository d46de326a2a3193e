package analyze

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/source"
)

// A Result is what came of an analysis.
type Result struct {
	// Graph holds the actions, for what needs more than findings.
	Graph *checker.Graph
	// Findings are sorted and numbered.
	Findings []finding.Finding
	// Problems are the packages that could not be analysed, and why.
	Problems []Problem

	packages []string // the import paths of those that were analysed
}

// Analysed says whether the package of an import path was analysed.
func (r *Result) Analysed(path string) bool { return slices.Contains(r.packages, path) }

// Run analyses packages. A package that can't be analysed is a Problem, and
// the others are analysed all the same; the error is for what leaves nothing
// to analyse.
func Run(ctx context.Context, req Request, checks []*analysis.Analyzer) (*Result, error) {
	loaded, err := load(ctx, req)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	var sound []*packages.Package
	for _, pkg := range loaded.matched {
		if problems := loaded.problemsOf(pkg); len(problems) > 0 {
			result.Problems = append(result.Problems, problems...)
			continue
		}
		if len(pkg.Syntax) == 0 {
			continue // it has nothing but tests, which were not asked for
		}
		sound = append(sound, pkg)
		result.packages = append(result.packages, pkg.PkgPath)
	}
	if result.Graph, err = analyze(ctx, req.overlaid(checks), sound); err != nil {
		return nil, err
	}
	convert := converter{source.Reading(req.ReadFile)}
	for _, act := range result.Graph.Roots {
		if act.Err != nil {
			result.Problems = append(result.Problems, Problem{Package: act.Package.PkgPath, Message: act.Err.Error()})
			continue
		}
		for _, d := range act.Diagnostics {
			result.Findings = append(result.Findings, convert.finding(act, d))
		}
	}
	result.Findings = finding.Sort(result.Findings)
	finding.Number(result.Findings)
	slices.SortFunc(result.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Position, b.Position), cmp.Compare(a.Message, b.Message))
	})
	result.Problems = slices.Compact(result.Problems)
	return result, nil
}

// analyze runs the checks. They can't be stopped: when the context ends first,
// they are left to themselves, and the process is expected to end.
func analyze(ctx context.Context, checks []*analysis.Analyzer, pkgs []*packages.Package) (*checker.Graph, error) {
	type outcome struct {
		graph *checker.Graph
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		graph, err := checker.Analyze(checks, pkgs, nil)
		done <- outcome{graph, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-done:
		return o.graph, o.err
	}
}
