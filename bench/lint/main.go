// Command lint measures what retrylint costs beside a tool that does nothing
// and beside staticcheck, on a public module of middle size.
//
//	make bench-lint
//
// Every figure is the processor time of a process and all those that it
// starts, or the largest memory of one of them, and the least of a few runs, so
// that a busy machine changes little. See README.md for what is compared.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "driver" {
		if err := drive(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "lint driver:", err)
			os.Exit(2)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("lint", flag.ContinueOnError)
	retrylint := flags.String("retrylint", "", "the `program` to measure")
	staticcheck := flags.String("staticcheck", "", "the staticcheck `program`; without it, it is left out")
	vettool := flags.String("none", "", "the vettool without analyzers (the `program` of ./none)")
	pattern := flags.String("packages", "github.com/minio/minio-go/v7/...", "the `pattern` of the packages to analyse")
	runs := flags.Int("runs", 3, "how often each is run; the least counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *retrylint == "" || *vettool == "" {
		return errors.New("name the programs with -retrylint and -none; make bench-lint builds them")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "retrykit-bench-lint")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := bench{dir: dir, runs: *runs}

	// Everything is compiled before anything is measured.
	if _, err := b.once(ctx, nil, self, "driver", "none", *pattern); err != nil {
		return err
	}
	if _, err := b.vet(ctx, *vettool, *pattern, 1); err != nil {
		return err
	}
	vetNone, err := b.vet(ctx, *vettool, *pattern, b.runs)
	if err != nil {
		return err
	}
	vetOurs, err := b.vet(ctx, *retrylint, *pattern, b.runs)
	if err != nil {
		return err
	}
	none, err := b.least(ctx, nil, self, "driver", "none", *pattern)
	if err != nil {
		return err
	}
	one, err := b.least(ctx, nil, self, "driver", "inspect", *pattern)
	if err != nil {
		return err
	}
	ours, err := b.least(ctx, nil, *retrylint, "-settings=none", *pattern)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%-62s %10s %10s %7s %6s\n", *pattern, "retrylint", "other", "ratio", "aim")
	line := func(what string, ours, other fmt.Stringer, ratio, aim float64) {
		verdict := ""
		if ratio > aim {
			verdict = "  missed"
		}
		fmt.Fprintf(stdout, "%-62s %10s %10s %7.2f %6.2f%s\n", what, ours, other, ratio, aim, verdict)
	}
	cpu := func(what string, ours, other used, aim float64) {
		line(what, ours.cpu.Round(10*time.Millisecond), other.cpu.Round(10*time.Millisecond), float64(ours.cpu)/float64(other.cpu), aim)
	}
	cpu("go vet, no result cached: CPU, over a vettool of no analyzers", vetOurs, vetNone, 1.1)
	cpu("standalone, all compiled: CPU, over a driver of no analyzers", ours, none, 1.5)
	if *staticcheck != "" {
		other := used{cpu: 1 << 62}
		for range b.runs {
			cache, err := os.MkdirTemp(dir, "staticcheck")
			if err != nil {
				return err
			}
			u, err := b.once(ctx, []string{"STATICCHECK_CACHE=" + cache}, *staticcheck, *pattern)
			if err != nil {
				return err
			}
			other = other.least(u)
		}
		cpu("standalone, all compiled: CPU, over staticcheck, nothing cached", ours, other, 0.25)
	}
	line("standalone: peak memory, over a driver of one inspector pass", ours.peak, one.peak, float64(ours.peak)/float64(one.peak), 1.5)
	return nil
}

type bench struct {
	dir  string
	runs int
	made int // copies of vettools
}

// used is what a process and those that it started took.
type used struct {
	cpu  time.Duration
	peak size // of the largest of them
}

func (u used) least(other used) used {
	if u.peak == 0 {
		return other
	}
	return used{min(u.cpu, other.cpu), min(u.peak, other.peak)}
}

// A size is in bytes.
type size int64

func (s size) String() string { return fmt.Sprintf("%d MiB", s>>20) }

func (b *bench) least(ctx context.Context, env []string, name string, args ...string) (best used, err error) {
	for range b.runs {
		u, err := b.once(ctx, env, name, args...)
		if err != nil {
			return best, err
		}
		best = best.least(u)
	}
	return best, nil
}

// once runs a program. Linters end with 1 where they have findings, which is
// no failure here.
func (b *bench) once(ctx context.Context, env []string, name string, args ...string) (used, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 || ctx.Err() != nil {
		return used{}, fmt.Errorf("%s: %w\n%s", filepath.Base(name), errors.Join(err, ctx.Err()), stderr.Bytes())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return used{}, errors.New("this system does not say what a process used")
	}
	// A process begins as a copy of the one that starts it, and Linux counts
	// that copy. As long as this one is the smaller, it makes no difference.
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return used{}, fmt.Errorf("what this process used: %w", err)
	}
	if usage.Maxrss <= own.Maxrss {
		return used{}, fmt.Errorf("%s took no more memory than the %s of the benchmark itself, so that it can't be told how much", filepath.Base(name), size(own.Maxrss<<10))
	}
	return used{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), size(usage.Maxrss << 10)}, nil
}

// vet runs go vet with a vettool a few times. The go command remembers results
// by the content of the tool, so each run has a copy that differs from the one
// before in bytes after its end, which nothing reads.
func (b *bench) vet(ctx context.Context, tool, pattern string, runs int) (best used, err error) {
	for range runs {
		b.made++
		name := filepath.Join(b.dir, fmt.Sprintf("%s-%d", filepath.Base(tool), b.made))
		if err := b.copyOf(tool, name); err != nil {
			return best, err
		}
		u, err := b.once(ctx, nil, "go", "vet", "-vettool="+name, pattern)
		if err != nil {
			return best, err
		}
		best = best.least(u)
	}
	return best, nil
}

// copyOf writes a copy of a program that ends differently. It is never held in
// memory as a whole; see once.
func (b *bench) copyOf(tool, name string) (err error) {
	from, err := os.Open(tool)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	_, err = fmt.Fprintf(to, "\n%d %d", time.Now().UnixNano(), b.made)
	return err
}
