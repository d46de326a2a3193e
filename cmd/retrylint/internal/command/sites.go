package command

import (
	"context"
	"errors"
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

// sitesFlags are the flags of the inventory.
type sitesFlags struct {
	set        *flag.FlagSet
	json, tree bool
	tags       string
	tests      *flag.Flag
}

func newSitesFlags() *sitesFlags {
	f := &sitesFlags{set: flag.NewFlagSet("retrylint sites", flag.ContinueOnError), tests: flagOf(inventory.Analyzer, "tests")}
	f.set.SetOutput(io.Discard)
	f.set.BoolVar(&f.json, "json", false, "print everything that is known, as JSON")
	f.set.BoolVar(&f.tree, "tree", false, "print which sites run within the attempts of others, with the product of their attempts")
	f.set.StringVar(&f.tags, "tags", "", "build `tags`, separated by commas")
	f.set.Var(f.tests.Value, f.tests.Name, f.tests.Usage)
	return f
}

// listSites prints the inventory of packages.
func listSites(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	flags := newSitesFlags()
	patterns, err := parseMixed(flags.set, args)
	if errors.Is(err, flag.ErrHelp) {
		text, _ := commandHelp("sites")
		_, err := io.WriteString(stdout, text)
		return exitClean, err
	}
	if err != nil {
		return exitFailure, err
	}
	if flags.json && flags.tree {
		return exitFailure, fmt.Errorf("-json and -tree are two ways to print the same; use one of them")
	}
	dir, err := os.Getwd()
	if err != nil {
		return exitFailure, fmt.Errorf("the current directory can't be read: %w", err)
	}
	request := analyze.Request{Dir: dir, Patterns: patterns, Tags: flags.tags, Tests: flags.tests.Value.String() == "true"}
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
	case flags.json:
		err = all.JSON(stdout)
	case flags.tree:
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
