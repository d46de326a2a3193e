// Command goldenmodules keeps what retrylint finds in well-known public modules
// under testdata/golden, one file a module, so that a diff of git shows what a
// change of a check gains and loses, and counts how many of these findings
// hold up to reading the code.
//
//	go run ./analyzer/internal/goldenmodules [flags] [name ...]
//
// Without names, all modules of testdata/golden/modules.tsv are analysed. Each
// is fetched at its pinned version by the go command into a scratch module in
// the user's cache folder; the first run compiles what they import, which takes
// long, later ones take minutes.
//
// With -check nothing is written: differences are printed, and the exit code is
// 1 if there are any. With -precision nothing is analysed: docs/precision.tsv
// and the table of docs/precision.md are written from the golden files and the
// verdicts beside them.
package main

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
)

// errDiffers is the outcome of -check where something differs; the differences
// are printed already.
var errDiffers = errors.New("the golden findings differ; run make golden-modules and read the diff")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return
	case errors.Is(err, errDiffers):
		fmt.Fprintln(os.Stderr, "goldenmodules:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "goldenmodules:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("goldenmodules", flag.ContinueOnError)
	flags.SetOutput(stderr)
	root := flags.String("root", ".", "root of this repository")
	cache := flags.String("cache", "", "`folder` for the scratch modules (default retrykit/golden in the user's cache folder)")
	binary := flags.String("retrylint", "", "the `program` to run (default: built from this repository)")
	check := flags.Bool("check", false, "compare, and write nothing")
	onlyPrecision := flags.Bool("precision", false, "analyse nothing, only count the verdicts anew")
	if err := flags.Parse(args); err != nil {
		return err
	}
	golden := filepath.Join(*root, "testdata", "golden")
	if *onlyPrecision {
		return writePrecision(*root)
	}
	modules, err := readModules(filepath.Join(golden, "modules.tsv"))
	if err != nil {
		return err
	}
	if modules, err = choose(modules, flags.Args()); err != nil {
		return err
	}
	work := workshop{cache: *cache, retrylint: *binary, progress: stderr}
	if err := work.open(ctx, *root); err != nil {
		return err
	}
	differs := false
	for i, m := range modules {
		fmt.Fprintf(stderr, "%d/%d %s@%s\n", i+1, len(modules), m.path, m.version)
		text, err := work.analyse(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		file := filepath.Join(golden, m.name+".tsv")
		if !*check {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if diff := compare(string(old), text); diff != "" {
			differs = true
			fmt.Fprintf(stdout, "%s\n%s", file, diff)
		}
	}
	if differs {
		return errDiffers
	}
	if *check {
		return nil
	}
	return writePrecision(*root)
}

// choose returns the modules of the given names, all if there are none.
func choose(modules []module, names []string) ([]module, error) {
	if len(names) == 0 {
		return modules, nil
	}
	var chosen []module
	for _, name := range names {
		found := false
		for _, m := range modules {
			if m.name == name {
				chosen, found = append(chosen, m), true
			}
		}
		if !found {
			var known []string
			for _, m := range modules {
				known = append(known, m.name)
			}
			return nil, fmt.Errorf("no module is called %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
