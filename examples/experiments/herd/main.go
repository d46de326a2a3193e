// Herd shows what clients that failed together do next: how many come back at
// the same moment, by the strategy that they wait by.
//
//	go run ./experiments/herd
//	go run ./experiments/herd -seed 2
//
// Nobody waits: each client has a clock of its own that passes its waits at
// once. The same seed gives the same figures.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/retrykit/retrykit/otelretry"
)

func main() {
	seed := flag.Uint64("seed", 1, "what the random waits come from")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: herd [-seed N]")
		os.Exit(2)
	}
	if err := show(os.Stdout, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "herd:", err)
		os.Exit(1)
	}
}

// show runs the three experiments and prints what came of them.
func show(w io.Writer, seed uint64) error {
	for _, experiment := range []func(io.Writer, uint64) error{showThousand, showTwelve, showTenThousand} {
		if err := experiment(w, seed); err != nil {
			return err
		}
	}
	return nil
}

type strategy struct {
	name    string
	backoff otelretry.Backoff
}

// ofThousand are the strategies of the first experiment: base 1 s, cap 30 s.
func ofThousand() []strategy {
	const base, limit = time.Second, 30 * time.Second
	return []strategy{
		{"none", otelretry.Exponential(base, limit)},
		{"full", otelretry.FullJitter(base, limit)},
		{"equal", otelretry.EqualJitter(base, limit)},
		{"decorrelated", otelretry.DecorrelatedJitter(base, limit)},
	}
}

func showThousand(w io.Writer, seed uint64) error {
	fmt.Fprintf(w, "1000 clients fail at 0 s and retry 5 times, base 1 s, cap 30 s\n")
	fmt.Fprintf(w, "%-14s %22s %12s\n", "jitter", "most retries in 100 ms", "mean wait")
	for _, s := range ofThousand() {
		result, err := herd{clients: 1000, attempts: 6, failures: 6, backoff: s.backoff}.run(seed)
		if err != nil {
			return err
		}
		most, _ := peak(result.retries, 100*time.Millisecond)
		fmt.Fprintf(w, "%-14s %22d %10.1f s\n", s.name, most, result.meanWait.Seconds())
	}
	return nil
}

// ofTwelve are the strategies of the second experiment: base 0.5 s, cap 30 s.
func ofTwelve() []strategy {
	const base, limit = 500 * time.Millisecond, 30 * time.Second
	return []strategy{
		{"constant 2 s", otelretry.Constant(2 * time.Second)},
		{"exponential", otelretry.Exponential(2*base, limit)},
		{"full jitter", otelretry.FullJitter(2*base, limit)},
		{"decorrelated", otelretry.DecorrelatedJitter(base, limit)},
	}
}

func showTwelve(w io.Writer, seed uint64) error {
	fmt.Fprintf(w, "\n12 clients fail 4 times each and then succeed, 60 calls, base 0.5 s, cap 30 s\n")
	fmt.Fprintf(w, "%-14s %6s %21s %6s   %s\n", "strategy", "calls", "most in 0.25 s", "span", "when 12 came together")
	for _, s := range ofTwelve() {
		result, err := herd{clients: 12, attempts: 5, failures: 4, backoff: s.backoff}.run(seed)
		if err != nil {
			return err
		}
		calls := result.calls()
		most, slots := peak(calls, 250*time.Millisecond)
		fmt.Fprintf(w, "%-14s %6d %21d %4.1f s   %v\n", s.name, len(calls), most, slices.Max(calls).Seconds(), full(slots, 12))
	}
	return nil
}

func showTenThousand(w io.Writer, seed uint64) error {
	fmt.Fprintf(w, "\n10000 clients fail at 0 s and retry 3 times, base 200 ms, no jitter\n")
	result, err := herd{clients: 10_000, attempts: 4, failures: 4, backoff: otelretry.Exponential(200*time.Millisecond, 10*time.Second)}.run(seed)
	if err != nil {
		return err
	}
	_, slots := peak(result.retries, time.Millisecond)
	for _, at := range full(slots, 1) {
		fmt.Fprintf(w, "%6d retries at %v\n", slots[at], at)
	}
	return nil
}

// full gives the slots with at least n calls, in order.
func full(slots map[time.Duration]int, n int) (at []time.Duration) {
	for slot, calls := range slots {
		if calls >= n {
			at = append(at, slot)
		}
	}
	slices.Sort(at)
	return at
}
