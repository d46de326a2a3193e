package figures_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/figures"
)

func ExampleWilson() {
	lo, hi := figures.Wilson(99, 100)
	fmt.Printf("%.3f to %.3f\n", lo, hi)
	// Output: 0.946 to 0.998
}

func ExampleFind() {
	f, ok := figures.Find("first_attempt_success")
	fmt.Println(ok, f.Help)
	// Output: true requests that succeeded on attempt 1 / requests that were not canceled
}
