package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/examples/flakyserver"
)

// errChargedTwice would be the service's worst failure.
var errChargedTwice = errors.New("an order was charged twice")

// truth is what happened in a run, as the dependencies and the customers saw it.
// Nothing in it comes from the service's telemetry.
type truth struct {
	checkouts checkouts
	routes    []flakyserver.Stats
	receipts  []flakyserver.Receipt
}

// print writes it as text. That an order was charged twice is an error.
func (t truth) print(w io.Writer) error {
	fmt.Fprintf(w, "%-20s %8s %8s %10s %13s   %s\n", "route", "requests", "attempts", "ok at once", "ok in the end", "attempts by status")
	for _, s := range t.routes {
		fmt.Fprintf(w, "%-20s %8d %8d %10d %13d   %s\n",
			s.Route, s.Requests, s.Attempts, s.FirstAttemptSuccesses, s.Successes, byStatus(s.ByStatus))
	}

	charged := map[string]int{}
	for _, r := range t.receipts {
		charged[r.Order]++
	}
	twice := 0
	for _, n := range charged {
		if n > 1 {
			twice++
		}
	}
	fmt.Fprintf(w, "\n%d orders: %d paid for", t.checkouts.orders, len(t.checkouts.receipts))
	for _, why := range slices.Sorted(maps.Keys(t.checkouts.failures)) {
		fmt.Fprintf(w, ", %d failed (%s)", t.checkouts.failures[why], why)
	}
	fmt.Fprintf(w, "\n%d charges made, %d orders charged twice\n", len(t.receipts), twice)
	if twice > 0 {
		return fmt.Errorf("%w: %d of %d", errChargedTwice, twice, len(charged))
	}
	return nil
}

func byStatus(counts map[int]int) string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		name := fmt.Sprint(status)
		if status == 0 {
			name = "no answer"
		}
		parts = append(parts, fmt.Sprintf("%s x%d", name, counts[status]))
	}
	return strings.Join(parts, ", ")
}
