package main

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// drive is a driver that does the least: it loads what retrylint loads, from
// source, with the types of dependencies from what the compiler left, and runs
// no analyzer, or one that looks at every node once.
func drive(args []string) error {
	if len(args) != 2 || args[0] != "none" && args[0] != "inspect" {
		return fmt.Errorf("want none or inspect, and a pattern, not %q", args)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
		packages.NeedModule}, args[1])
	if err != nil {
		return err
	}
	if packages.PrintErrors(pkgs) > 0 {
		return fmt.Errorf("packages of %s do not load", args[1])
	}
	var analyzers []*analysis.Analyzer
	if args[0] == "inspect" {
		analyzers = append(analyzers, onePass)
	}
	_, err = checker.Analyze(analyzers, pkgs, nil)
	return err
}

var onePass = &analysis.Analyzer{
	Name:     "onepass",
	Doc:      "look at every node once",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		n := 0
		for range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder() {
			n++
		}
		return nil, nil
	},
}
