package compare_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/compare"
	"github.com/retrykit/retrykit/internal/summary"
)

func ExampleSummaries() {
	of := func(first float64) *summary.Summary {
		requests := 1000.0
		return &summary.Summary{Total: summary.Figures{Requests: &requests, FirstAttemptSuccess: &first}}
	}
	for _, after := range []float64{0.90, 0.99} {
		_, total := compare.Summaries(of(0.91), of(after))
		fmt.Printf("%.2f to %.2f: significant %v\n", *total.First.Before, *total.First.After, total.First.Significant())
	}
	// Output:
	// 0.91 to 0.90: significant false
	// 0.91 to 0.99: significant true
}
