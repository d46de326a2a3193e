package summary_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/summary"
)

func ExampleSummary_Sort() {
	few, many := 1.0, 9.0
	s := summary.Summary{Operations: []summary.Operation{
		{Dependency: "unknown"},
		{Dependency: "few", Figures: summary.Figures{RetryTotal: &few}},
		{Dependency: "many", Figures: summary.Figures{RetryTotal: &many}},
	}}
	err := s.Sort("retries")
	for _, o := range s.Operations {
		fmt.Println(o.Name())
	}
	fmt.Println(err, s.Sort("size"))
	// Output:
	// many
	// few
	// unknown
	// <nil> unknown order "size": use one of retries, requests, attempts, first, eventual, added, name
}
