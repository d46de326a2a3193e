package command

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

const vetFlagsUsage = `retrylint vetflags prints the settings file, and the flags that it is given, as
flags for go vet, one a line.

Usage:
    go vet -vettool="$(which retrylint)" $(retrylint vetflags [flags]) [packages]

What go vet has no flag for is left out: it is about printing and choosing
findings, not about finding them.
`

// vetFlags prints the flags that make go vet do what the settings file and the
// arguments ask for, one a line. What go vet does not have is left out: it is
// about printing and choosing findings, not about finding them.
func vetFlags(suite options.Suite, args []string, stdout io.Writer) (int, error) {
	s, err := parse(suite, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, vetFlagsUsage)
		return exitClean, nil
	}
	if err != nil {
		return exitFailure, err
	}
	if _, err := s.selected(); err != nil {
		return exitFailure, err // before go vet says it for each package
	}
	known := flag.NewFlagSet("", flag.ContinueOnError)
	options.Register(known, suite)
	s.flags.Visit(func(f *flag.Flag) {
		if known.Lookup(f.Name) != nil {
			fmt.Fprintf(stdout, "-%s=%s\n", f.Name, f.Value)
		}
	})
	return exitClean, nil
}
