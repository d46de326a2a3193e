// Command instructions counts the instructions and allocations of one request
// for every case and scenario, and prints them as a table. Instructions don't
// depend on how busy the machine is. It runs itself under valgrind, whose
// cachegrind counts them: once with n requests and once with more, so that the
// start of the program drops out of the difference.
//
// Valgrind counts what runs in the process. Reading the clock is a system call
// under it, so that its some fifty instructions are missing, in every case
// alike.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/retrykit/retrykit/bench/internal/cases"
)

func main() {
	only := flag.String("only", "", "measure only the cases whose name contains this `text`")
	scenario := flag.String("scenario", "", "measure only the scenarios whose name contains this `text`")
	child := flag.String("child", "", "used by the program itself: case, scenario and requests, separated by |")
	flag.Parse()
	if err := run(*only, *scenario, *child); err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(2)
	}
}

func run(only, scenario, child string) error {
	if child != "" {
		return serve(child)
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return errors.New("valgrind counts the instructions and is not installed (Debian: apt-get install valgrind)")
	}
	return table(only, scenario)
}

func all() []cases.Case {
	return slices.Concat([]cases.Case{cases.HandWritten(), cases.HandWrittenContext()}, cases.Otelretry(), cases.Telemetry(), cases.Peers())
}

// serve makes n requests: it is what runs under valgrind.
func serve(spec string) error {
	parts := strings.Split(spec, "|")
	if len(parts) != 3 {
		return fmt.Errorf("-child %q: want case|scenario|requests", spec)
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil {
		return err
	}
	for _, c := range all() {
		for _, s := range cases.Scenarios() {
			if c.Name == parts[0] && s.Name == parts[1] {
				request := c.Make(s)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				for range n {
					_ = request(ctx)
				}
				return nil
			}
		}
	}
	return fmt.Errorf("-child %q: no such case", spec)
}

func table(only, scenario string) error {
	fmt.Printf("%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, s := range cases.Scenarios() {
		if !strings.Contains(s.Name, scenario) {
			continue
		}
		fmt.Printf("\n| %s | instructions | x by hand | allocations |\n|---|---:|---:|---:|\n", s.Name)
		hand := 0.0
		for i, c := range all() {
			if i > 0 && !strings.Contains(c.Name, only) || strings.HasPrefix(c.Name, "one span") && s.Name != cases.FirstAttempt.Name {
				continue
			}
			count, err := instructions(c, s)
			if err != nil {
				return err
			}
			if i == 0 {
				hand = count
			}
			fmt.Printf("| %s | %.0f | %.2f | %.0f |\n", c.Name, count, count/hand, allocations(c, s))
		}
	}
	return nil
}

// enough is how many instructions the requests of a measurement come to at
// least: what the runtime does beside them, in goroutines of its own, is some
// hundred thousand, and differs from run to run.
const enough = 40_000_000

func instructions(c cases.Case, s cases.Scenario) (float64, error) {
	const few = 2000
	first, err := collected(c, s, few)
	if err != nil {
		return 0, err
	}
	for more := 10_000; ; more = enough / 400 {
		second, err := collected(c, s, few+more)
		if err != nil {
			return 0, err
		}
		if extra := second - first; extra >= enough || more > 10_000 {
			return float64(extra) / float64(more), nil
		}
	}
}

var collectedLine = regexp.MustCompile(`I +refs: +([\d,]+)`)

func collected(c cases.Case, s cases.Scenario, requests int) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	// Go's runtime now and then times a contended lock by an instruction that
	// valgrind doesn't know: try again.
	const tries = 10
	var output []byte
	for try := 1; ; try++ {
		command := exec.Command("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
			self, "-child", fmt.Sprintf("%s|%s|%d", c.Name, s.Name, requests))
		command.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
		output, err = command.CombinedOutput()
		if err == nil {
			break
		}
		if try == tries || !bytes.Contains(output, []byte("Unrecognised instruction")) {
			return 0, fmt.Errorf("%s, %s: %w\n%s", c.Name, s.Name, err, output)
		}
	}
	match := collectedLine.FindSubmatch(output)
	if match == nil {
		return 0, fmt.Errorf("%s, %s: valgrind told no count:\n%s", c.Name, s.Name, output)
	}
	return strconv.ParseInt(strings.ReplaceAll(string(match[1]), ",", ""), 10, 64)
}

func allocations(c cases.Case, s cases.Scenario) float64 {
	request := c.Make(s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return testing.AllocsPerRun(2000, func() { _ = request(ctx) })
}
