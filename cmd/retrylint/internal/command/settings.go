package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
	"github.com/retrykit/retrykit/internal/misspelt"
)

// settings are the flags of the standalone driver, and the packages.
type settings struct {
	suite    options.Suite
	flags    *flag.FlagSet
	checks   *options.Checks
	patterns []string
	dir      string // the current directory

	json    bool
	format  string
	color   string
	context int
	output  string
	tags    string
	explain string

	levels *options.Levels
	failOn string

	fix  bool
	diff bool

	file          string
	baseline      string
	writeBaseline string
	newFrom       string
	telemetry     string

	origin *options.File // nil without a settings file
}

// fileFlags are the flags whose values name files. In a settings file they are
// relative to it.
var fileFlags = []string{"baseline", "o", "telemetry"}

// newSettings defines the flags of the standalone driver.
func newSettings(suite options.Suite) *settings {
	s := &settings{suite: suite, levels: options.NewLevels(suite)}
	fs := flag.NewFlagSet("retrylint", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.flags = fs
	s.checks = options.Register(fs, suite)

	fs.BoolVar(&s.json, "json", false, "print the findings as go vet -json does")
	fs.StringVar(&s.format, "format", "text", "how to print the findings: "+strings.Join(formatNames(), ", "))
	fs.StringVar(&s.color, "color", "auto", "use colours: auto (on a terminal, unless NO_COLOR is set), always, never")
	fs.IntVar(&s.context, "c", 0, "show this many source `lines` around the one at fault; -1 shows none at all")
	fs.StringVar(&s.output, "o", "", "write the findings to this `file`")
	fs.StringVar(&s.tags, "tags", "", "build `tags`, separated by commas")
	fs.StringVar(&s.explain, "explain", "", "print the documentation of this `check`")

	fs.Var(s.levels, "level", "`check=level` sets the level of a check, or of all: error, warning or note; can be repeated (every check is at warning)")
	fs.StringVar(&s.failOn, "fail-on", string(finding.Note), "lowest `level` at which findings make the exit code 1")

	fs.BoolVar(&s.fix, "fix", false, "apply the fixes of the findings to the files, and print what is left")
	fs.BoolVar(&s.diff, "diff", false, "print as a diff what -fix would change, and change nothing")

	fs.StringVar(&s.file, "settings", "", "settings `file`; by default "+options.FileName+" in this directory or above in the module, \"none\" for none")
	fs.StringVar(&s.baseline, "baseline", "", "do not report the findings that this `file` knows")
	fs.StringVar(&s.writeBaseline, "write-baseline", "", "write the findings to this `file`, to be known from now on")
	fs.StringVar(&s.newFrom, "new-from", "", "report only findings about code that changed since this git `revision`")
	fs.StringVar(&s.telemetry, "telemetry", "", "rank the findings by what this `report` of retrystat (--format json) measured at their places")
	return s
}

// parse reads the command line and the settings file.
func parse(suite options.Suite, args []string) (*settings, error) {
	s := newSettings(suite)
	var err error
	if s.patterns, err = parseMixed(s.flags, args); err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the current directory can't be read: %w", err)
	}
	s.dir = filepath.Clean(dir)
	if err := s.readFile(); err != nil {
		return nil, err
	}
	return s, s.validate()
}

// parseMixed takes flags before and after the other arguments, which it
// returns.
func parseMixed(fs *flag.FlagSet, args []string) (others []string, err error) {
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			return nil, flagError(fs, err)
		}
		left := fs.Args()
		if len(left) == 0 {
			return others, nil
		}
		if n := len(rest) - len(left); n > 0 && rest[n-1] == "--" {
			return append(others, left...), nil
		}
		others = append(others, left[0])
		rest = left[1:]
	}
}

// flagError says where the flags are listed, and which one may be meant.
func flagError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); unknown {
		var known []string
		fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		if near := misspelt.Nearest(name, known); len(near) > 0 {
			return fmt.Errorf("%w; did you mean -%s?", err, strings.Join(near, " or -"))
		}
	}
	if strings.HasSuffix(err.Error(), "?") {
		return err // it asks for the name that may be meant
	}
	return fmt.Errorf("%w; \"%s\" has the usage", err, helpOf[fs.Name()])
}

// helpOf are the commands that print the flags of a set.
var helpOf = map[string]string{"retrylint": "retrylint help", "retrylint sites": "retrylint help sites"}

func (s *settings) readFile() error {
	name := s.file
	switch name {
	case "none":
		return nil
	case "":
		var err error
		if name, err = options.FindFile(s.dir); err != nil || name == "" {
			return err
		}
	}
	file, err := options.ReadFile(name)
	if err != nil {
		return err
	}
	s.origin = file
	return file.Apply(s.flags, fileFlags)
}

// from says where a flag was set, as the beginning of a message about it: "" on
// the command line, a place in the settings file otherwise.
func (s *settings) from(flag string) string {
	if s.origin == nil {
		return ""
	}
	if place := s.origin.Place(flag); place != "" {
		return place + ": "
	}
	return ""
}

// selected are the checks to run.
func (s *settings) selected() ([]*analysis.Analyzer, error) {
	checks, err := s.checks.Selected()
	if err != nil {
		return nil, fmt.Errorf("%s%w", s.from("checks"), err)
	}
	return checks, nil
}

// validate finds settings that can't be followed before anything is done.
func (s *settings) validate() error {
	if s.json {
		if s.format != "text" && s.format != "vet" {
			return fmt.Errorf("-json means -format=vet, and -format=%s asks for another; use one of them", s.format)
		}
		s.format = "vet"
	}
	if formats[s.format] == nil {
		return fmt.Errorf("%s-format=%s: there is no such format; use %s", s.from("format"), s.format, strings.Join(formatNames(), ", "))
	}
	switch s.color {
	case "auto", "always", "never":
	default:
		return fmt.Errorf("%s-color=%s: use auto, always or never", s.from("color"), s.color)
	}
	if s.context < -1 {
		return fmt.Errorf("%s-c=%d: give the number of source lines to show around the one at fault, or -1 for none at all", s.from("c"), s.context)
	}
	if _, err := finding.ParseLevel(s.failOn); err != nil {
		return fmt.Errorf("%s-fail-on: %w", s.from("fail-on"), err)
	}
	switch empty := s.empty(); {
	case empty == "new-from": // as from a git merge-base that failed
		return fmt.Errorf("%s-new-from is empty; name a revision, or leave it out to see all findings", s.from("new-from"))
	case empty != "":
		return fmt.Errorf("%s-%s is given, and empty", s.from(empty), empty)
	case s.fix && s.diff:
		return fmt.Errorf("-fix changes files and -diff does not; use one of them")
	case s.writeBaseline != "" && (s.fix || s.diff):
		return fmt.Errorf("-write-baseline writes down findings and -fix and -diff are about their fixes; do one after the other")
	case s.writeBaseline != "" && s.newFrom != "":
		return fmt.Errorf("-write-baseline with -new-from would forget the findings of unchanged code; leave one out")
	}
	return nil
}

// empty is a flag that was given and says nothing, as with a variable of a
// shell that is not set. To take back what the settings file says is something.
func (s *settings) empty() (name string) {
	s.flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "o", "explain", "settings", "baseline", "write-baseline", "new-from", "telemetry":
			if name == "" && f.Value.String() == "" && (s.origin == nil || !s.origin.Overruled(f.Name)) {
				name = f.Name
			}
		}
	})
	return name
}

// tests is the value of -tests, which belongs to what the checks stand on.
func (s *settings) tests() bool {
	f := s.flags.Lookup("tests")
	return f != nil && f.Value.String() == "true"
}
