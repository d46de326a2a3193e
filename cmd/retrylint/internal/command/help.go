package command

import (
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

const usage = `retrylint finds retries that will hurt.

Usage:
    retrylint [flags] [packages]                      by itself
    go vet -vettool="$(which retrylint)" [packages]   under go vet, same findings
    retrylint help <check or command>                 what a check is about, how a command is used
    retrylint sites [packages]                        the retry sites and what is known of them
    retrylint vetflags                                the settings file as flags for go vet
    retrylint completion bash|zsh|fish                complete the command line
    retrylint version

Packages are named as for the go command; none means the current directory.
Exit codes: 0 nothing found, 1 findings, 2 bad usage or something could not be
analysed. Under go vet, the go command's own apply.

Checks:

`

const silence = `
A comment silences a check where it stands, or for the function or file that
it stands above:
    //nolint:retrylint    //nolint:<check>
    //lint:ignore <check> reason    //retrylint:ignore <check> reason
`

// help prints the general help, or the documentation of checks.
func help(suite options.Suite, names []string, w io.Writer) (int, error) {
	if len(names) == 0 {
		fs := newSettings(suite).flags
		fmt.Fprint(w, usage)
		suite.PrintChecks(w)
		fmt.Fprint(w, silence, "\nFlags:\n")
		fs.VisitAll(func(f *flag.Flag) {
			if name, _, _ := strings.Cut(f.Name, "."); suite.Lookup(name) == nil {
				printFlag(w, f)
			}
		})
		fmt.Fprintf(w, "\nEach check has a flag -<check>, and some have flags of their own: see retrylint help <check>.\n")
		return exitClean, nil
	}
	for i, name := range names {
		a := suite.Lookup(name)
		text, command := commandHelp(name)
		if a == nil && !command {
			var known []string
			for _, c := range commands {
				known = append(known, c.name)
			}
			return exitFailure, suite.NoCheck(name, known...)
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if command {
			fmt.Fprint(w, text)
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", a.Name, strings.TrimSpace(a.Doc))
		if a.URL != "" {
			fmt.Fprintf(w, "\n%s\n", a.URL)
		}
		first := true
		a.Flags.VisitAll(func(f *flag.Flag) {
			if first {
				fmt.Fprint(w, "\nFlags:\n")
				first = false
			}
			own := *f
			own.Name = a.Name + "." + f.Name
			printFlag(w, &own)
		})
	}
	return exitClean, nil
}

// commandHelp is how a command is used; false if there is no such command.
func commandHelp(name string) (string, bool) {
	switch name {
	case "help":
		return "retrylint help prints the usage, retrylint help <check> what a check is about.\n", true
	case "version":
		return "retrylint version prints the version.\n", true
	case "completion":
		return completionUsage, true
	case "vetflags":
		return vetFlagsUsage, true
	case "sites":
		var b strings.Builder
		b.WriteString(sitesUsage)
		newSitesFlags().set.VisitAll(func(f *flag.Flag) { printFlag(&b, f) })
		return b.String(), true
	}
	return "", false
}

func printFlag(w io.Writer, f *flag.Flag) {
	value, usage := flag.UnquoteUsage(f)
	if value != "" {
		value = " " + value
	}
	def := ""
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
		def = fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(w, "    -%s%s\n        %s%s\n", f.Name, value, usage, def)
}

// version is that of the module that retrylint was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
