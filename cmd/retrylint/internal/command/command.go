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
	"path/filepath"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/vettool"
)

// The exit codes of the standalone driver. Under go vet, the go command's own
// apply.
const (
	exitClean    = 0 // nothing to say
	exitFindings = 1
	exitFailure  = 2 // bad usage, or something could not be analysed
)

// Main runs retrylint with the given arguments, the program's name first, and
// returns the exit code.
func Main(suite options.Suite, args []string, stdout, stderr io.Writer) int {
	if vettool.Asked(args[1:]) {
		return vettool.Main(suite, args, stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	code, err := run(ctx, suite, args[1:], stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "retrylint: %v\n", err)
	}
	return code
}

func run(ctx context.Context, suite options.Suite, args []string, stdout, stderr io.Writer) (int, error) {
	if len(args) > 0 {
		switch args[0] {
		case "help", "-help", "--help", "-h":
			return help(suite, args[1:], stdout)
		case "version", "-version", "--version":
			fmt.Fprintln(stdout, "retrylint", version())
			return exitClean, nil
		}
	}
	settings, err := parse(suite, args)
	if err != nil {
		return exitFailure, fmt.Errorf("%w\nRun \"retrylint help\" for usage.", err)
	}
	if settings.explain != "" {
		return help(suite, []string{settings.explain}, stdout)
	}
	return lint(ctx, settings, stdout, stderr)
}

// settings are the flags of the standalone driver.
type settings struct {
	suite    options.Suite
	flags    *flag.FlagSet
	checks   *options.Checks
	patterns []string

	json    bool
	format  string
	color   string
	context int
	output  string
	tags    string
	explain string
}

// flagSet defines the flags of the standalone driver.
func (s *settings) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("retrylint", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.flags = fs
	s.checks = options.Register(fs, s.suite)
	fs.BoolVar(&s.json, "json", false, "print the findings as go vet -json does")
	fs.StringVar(&s.format, "format", "text", "how to print the findings: "+strings.Join(formatNames(), ", "))
	fs.StringVar(&s.color, "color", "auto", "use colours: auto (on a terminal, unless NO_COLOR is set), always, never")
	fs.IntVar(&s.context, "c", 0, "show this many source `lines` around the one at fault; -1 shows none at all")
	fs.StringVar(&s.output, "o", "", "write the findings to this `file`")
	fs.StringVar(&s.tags, "tags", "", "build `tags`, separated by commas")
	fs.StringVar(&s.explain, "explain", "", "print the documentation of this `check`")
	return fs
}

// parse reads the command line. Flags may stand before and after packages.
func parse(suite options.Suite, args []string) (*settings, error) {
	s := &settings{suite: suite}
	fs := s.flagSet()
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			break
		}
		if n := len(rest) - fs.NArg(); n > 0 && rest[n-1] == "--" {
			s.patterns = append(s.patterns, fs.Args()...)
			break
		}
		s.patterns = append(s.patterns, fs.Arg(0))
		rest = fs.Args()[1:]
	}
	if s.json {
		s.format = "vet"
	}
	if formats[s.format] == nil {
		return nil, fmt.Errorf("-format=%s: there is no such format; use %s", s.format, strings.Join(formatNames(), ", "))
	}
	switch s.color {
	case "auto", "always", "never":
	default:
		return nil, fmt.Errorf("-color=%s: use auto, always or never", s.color)
	}
	return s, nil
}

// workingDir is where patterns and relative paths start from.
func workingDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the current directory can't be read: %w", err)
	}
	return filepath.Clean(dir), nil
}

var errIncomplete = errors.New("the findings are incomplete, since not everything could be analysed")
