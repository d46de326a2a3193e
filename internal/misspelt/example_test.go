package misspelt_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/misspelt"
)

func ExampleNearest() {
	fmt.Println(misspelt.Nearest("reprot", []string{"report", "rules", "diff"}))
	// Output: [report]
}
