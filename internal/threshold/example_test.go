package threshold_test

import (
	"fmt"
	"strings"

	"github.com/retrykit/retrykit/internal/summary"
	"github.com/retrykit/retrykit/internal/threshold"
)

func ExampleParse() {
	t, err := threshold.Parse("payments/charge:first_attempt_success>=99%")
	fmt.Println(t.Dependency, t.Operation, t, t.Value, err)
	_, err = threshold.Parse("atempts<5")
	fmt.Println(err)
	// Output:
	// payments charge first_attempt_success >= 99% 0.99 <nil>
	// threshold "atempts<5": unknown figure "atempts": did you mean attempts?
}

// What was not measured fails.
func ExampleCheck() {
	config, err := threshold.ParseYAML(strings.NewReader("thresholds: [requests > 100, attempts < 5]"))
	if err != nil {
		fmt.Println(err)
		return
	}
	requests := 200.0
	for _, r := range threshold.Check(&summary.Summary{Total: summary.Figures{Requests: &requests}}, config) {
		fmt.Println(r.Subject, r.Threshold, r.Passed, r.Value != nil)
	}
	// Output:
	// total requests > 100 true true
	// total attempts < 5 false false
}
