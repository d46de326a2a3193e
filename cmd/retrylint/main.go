// Command retrylint finds retries that will hurt: errors that are retried
// though they are permanent, waits that can't be interrupted, retries without
// a deadline, idempotency keys made anew for each attempt, and more.
//
// It runs under go vet and by itself, with the same findings:
//
//	go vet -vettool="$(which retrylint)" ./...
//	retrylint ./...
//
// "retrylint help" lists the checks, "retrylint help <check>" explains one.
package main

import (
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/migrate"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/command"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

func main() {
	suite := options.Suite{
		Default:       analyzer.Default(),
		OptIn:         analyzer.OptIn(),
		Extra:         []*analysis.Analyzer{migrate.Analyzer},
		UnusedIgnores: unusedignore.Analyzer,
	}
	os.Exit(command.Main(suite, os.Args, os.Stdout, os.Stderr))
}
