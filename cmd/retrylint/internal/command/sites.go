package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/inventory"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/sites"
)

const sitesUsage = `retrylint sites lists the retry sites of packages with what is known of each.

Usage:
    retrylint sites [flags] [packages]

A dash stands for what is not known, "none" for what is known not to be there.

Flags:
`

// listSites prints the inventory of packages.
func listSites(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	fs := flag.NewFlagSet("retrylint sites", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	asJSON := fs.Bool("json", false, "print everything that is known, as JSON")
	asTree := fs.Bool("tree", false, "print which sites run within the attempts of others, with the product of their attempts")
	tags := fs.String("tags", "", "build `tags`, separated by commas")
	tests := flagOf(inventory.Analyzer, "tests")
	fs.Var(tests.Value, tests.Name, tests.Usage)
	patterns, err := parseMixed(fs, args)
	if err == flag.ErrHelp {
		fmt.Fprint(stdout, sitesUsage)
		fs.VisitAll(func(f *flag.Flag) { printFlag(stdout, f) })
		return exitClean, nil
	}
	if err != nil {
		return exitFailure, fmt.Errorf("%w; \"retrylint sites -h\" has the usage", err)
	}
	if *asJSON && *asTree {
		return exitFailure, fmt.Errorf("-json and -tree are two ways to print the same; use one of them")
	}
	dir, err := os.Getwd()
	if err != nil {
		return exitFailure, fmt.Errorf("the current directory can't be read: %w", err)
	}
	request := analyze.Request{Dir: dir, Patterns: patterns, Tags: *tags, Tests: tests.Value.String() == "true"}
	result, err := analyze.Run(ctx, request, []*analysis.Analyzer{inventory.Analyzer})
	if err != nil {
		return exitFailure, err
	}
	var packages []sites.Package
	for _, act := range result.Graph.Roots {
		if inv, ok := act.Result.(*inventory.Package); ok {
			pkg := sites.Package{Package: inv}
			if m := act.Package.Module; m != nil {
				pkg.Module, pkg.ModuleDir = m.Path, m.Dir
				if m.Version != "" {
					pkg.Module += "@" + m.Version
				}
			}
			packages = append(packages, pkg)
		}
	}
	all := sites.Of(packages)
	switch {
	case *asJSON:
		err = all.JSON(stdout)
	case *asTree:
		err = all.Tree(stdout, dir)
	default:
		err = all.Table(stdout, dir)
	}
	if err != nil {
		return exitFailure, err
	}
	for _, p := range result.Problems {
		fmt.Fprintf(stderr, "retrylint: %s\n", p)
	}
	if len(result.Problems) > 0 {
		return exitFailure, fmt.Errorf("the list is incomplete, since not everything could be analysed")
	}
	return exitClean, nil
}

// flagOf returns a flag of what an analyzer stands on.
func flagOf(a *analysis.Analyzer, name string) *flag.Flag {
	if f := a.Flags.Lookup(name); f != nil {
		return f
	}
	for _, req := range a.Requires {
		if f := flagOf(req, name); f != nil {
			return f
		}
	}
	return nil
}
