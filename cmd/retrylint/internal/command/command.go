// Package command is retrylint's command line.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/vettool"
	"github.com/retrykit/retrykit/internal/misspelt"
)

// The exit codes of the standalone driver. Under go vet, the go command's own
// apply.
const (
	exitClean    = 0 // nothing to say
	exitFindings = 1
	exitFailure  = 2 // bad usage, or something could not be analysed
)

var errIncomplete = errors.New("the findings are incomplete, since not everything could be analysed")

// Main runs retrylint with the given arguments, the program's name first, and
// returns the exit code.
func Main(suite options.Suite, args []string, stdout, stderr io.Writer) int {
	if vettool.Asked(args[1:]) {
		return vettool.Main(suite, args, stdout, stderr)
	}
	collectLater()
	// SIGTERM is what timeouts of CI send, to this process alone: the go command
	// that lists packages for it has to be ended too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, suite, args[1:], stdout, stderr)
	switch {
	case err != nil && ctx.Err() != nil:
		fmt.Fprintln(stderr, "retrylint: interrupted before it was done")
	case err != nil:
		fmt.Fprintf(stderr, "retrylint: %v\n", err)
	}
	return code
}

func run(ctx context.Context, suite options.Suite, args []string, stdout, stderr io.Writer) (int, error) {
	if len(args) > 0 {
		switch args[0] {
		case "help", "-help", "--help", "-h":
			return help(suite, args[1:], stdout)
		case "completion":
			return completion(args[1:], stdout)
		case "__complete":
			return complete(suite, args[1:], stdout)
		case "sites":
			return listSites(ctx, args[1:], stdout, stderr)
		case "vetflags":
			return vetFlags(suite, args[1:], stdout)
		case "version", "-version", "--version":
			if len(args) > 1 {
				return exitFailure, fmt.Errorf("version takes no arguments, and got %q", args[1:])
			}
			fmt.Fprintln(stdout, "retrylint", version())
			return exitClean, nil
		}
	}
	if err := misspeltCommand(suite, args); err != nil {
		return exitFailure, err
	}
	s, err := parse(suite, args)
	switch {
	case errors.Is(err, flag.ErrHelp): // after packages or other flags
		return help(suite, nil, stdout)
	case err != nil:
		return exitFailure, err
	}
	if s.explain != "" {
		return help(suite, []string{s.explain}, stdout)
	}
	return s.lint(ctx, stdout, stderr)
}

// misspeltCommand refuses what may be a misspelt command, or is a check, and
// would be taken for a package of the standard library.
func misspeltCommand(suite options.Suite, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], "-./") {
		return nil
	}
	if slices.Contains(checkNames(suite), args[0]) {
		return fmt.Errorf("%q is a check: \"retrylint help %s\" explains it, and -%s runs it alone; a folder of that name is ./%s", args[0], args[0], args[0], args[0])
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	if near := misspelt.Nearest(args[0], names); len(near) > 0 && args[0] != "" {
		return fmt.Errorf("there is no command %q; did you mean %s? A folder of that name is ./%s", args[0], strings.Join(near, " or "), args[0])
	}
	return nil
}
