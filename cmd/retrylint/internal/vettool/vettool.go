// Package vettool answers the go command when it runs retrylint as its vet
// tool: go vet -vettool=retrylint ./...
package vettool

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
	"github.com/retrykit/retrykit/internal/stdlib"
)

// Asked says whether the arguments are those of the go command, which asks
// for the version (-V=full), for the flags (-flags), or for the analysis of
// one package (a file whose name ends in .cfg).
func Asked(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return slices.ContainsFunc(args, func(arg string) bool {
		name, isFlag := strings.CutPrefix(arg, "-")
		name = strings.TrimPrefix(name, "-")
		return isFlag && (name == "flags" || strings.HasPrefix(name, "V="))
	}) || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Main carries out what the go command asked for. args are the program's
// arguments with its name. An analysis ends the process with the exit code
// that go vet expects; Main returns only from what needs none.
func Main(suite options.Suite, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("retrylint", flag.ContinueOnError)
	fs.SetOutput(stderr)
	checks := options.Register(fs, suite)

	// These are unitchecker's; they are handed on to it.
	version := fs.String("V", "", "print the version and exit")
	list := fs.Bool("flags", false, "print the flags as JSON")
	asJSON := fs.Bool("json", false, "print the findings as JSON")
	context := fs.Int("c", -1, "show the line at fault with this many lines around it")
	fix := fs.Bool("fix", false, "apply the fixes")
	diff := fs.Bool("diff", false, "with -fix, print the fixes as a diff instead")
	if err := fs.Parse(args[1:]); err != nil {
		return 2
	}
	if *list {
		return printFlags(fs, stdout, stderr)
	}
	if *version != "" {
		os.Args = []string{args[0], "-V=" + *version}
		unitchecker.Main(suite.All()...)
	}
	if fs.NArg() != 1 {
		fmt.Fprintf(stderr, "retrylint: want one .cfg file from go vet, got %q\n", fs.Args())
		return 2
	}
	selected, err := checks.Selected()
	dependency, standard := factsOf(fs.Arg(0))
	if dependency {
		// What is wrong with the flags is said once, for the packages that were
		// asked for.
		selected, err = nil, nil
		if !standard {
			if selected, err = suite.FactsOnly(); err != nil {
				fmt.Fprintln(stderr, "retrylint:", err)
				return 2
			}
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "retrylint:", err)
		return 2
	}
	// A process that lives for one package collects less garbage than it takes
	// to look for it. Packages of the standard library are small enough to do
	// with next to no collection.
	if os.Getenv("GOGC") == "" {
		percent := 400
		if dependency && standard {
			percent = 1600
		}
		debug.SetGCPercent(percent)
	}
	// unitchecker reads os.Args. The flags of the checks are set already, in
	// the very values that it would set.
	os.Args = []string{args[0],
		fmt.Sprintf("-json=%t", *asJSON), fmt.Sprintf("-c=%d", *context),
		fmt.Sprintf("-fix=%t", *fix), fmt.Sprintf("-diff=%t", *diff), fs.Arg(0)}
	unitchecker.Main(selected...)
	return 0
}

// factsOf says whether the go command wants nothing but facts of a package: it
// is a dependency, whose findings nobody will see. standard says that it
// belongs to the standard library, of which there are no facts: it only has to
// be type-checked for those that import it. What is wrong with the file is left
// to unitchecker to say.
func factsOf(file string) (dependency, standard bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return false, false
	}
	var config struct {
		VetxOnly               bool
		ModulePath, ImportPath string
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return false, false
	}
	return config.VetxOnly, stdlib.Contains(config.ModulePath, config.ImportPath)
}

// printFlags tells the go command which flags it may pass.
func printFlags(fs *flag.FlagSet, stdout, stderr io.Writer) int {
	type jsonFlag struct {
		Name  string
		Bool  bool
		Usage string
	}
	var flags []jsonFlag
	fs.VisitAll(func(f *flag.Flag) {
		if f.Name == "fix" {
			return // the go command has one of its own, and passes it anyway
		}
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		flags = append(flags, jsonFlag{f.Name, ok && b.IsBoolFlag(), f.Usage})
	})
	data, err := json.MarshalIndent(flags, "", "\t")
	if err != nil {
		fmt.Fprintln(stderr, "retrylint:", err)
		return 2
	}
	_, _ = stdout.Write(data)
	return 0
}
