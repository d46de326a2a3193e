package promname_test

import (
	"fmt"

	"github.com/retrykit/retrykit/internal/contract"
	"github.com/retrykit/retrykit/internal/promname"
)

func ExampleSelector() {
	for _, n := range promname.All() {
		fmt.Println(promname.Selector(n.Part(contract.RequestDuration, "count"), n.Match(contract.AttrDependency, "=", "payments")))
	}
	// Output:
	// otelretry_request_duration_seconds_count{retry_dependency="payments"}
	// otelretry_request_duration_count{retry_dependency="payments"}
	// {"otelretry.request.duration_seconds_count","retry.dependency"="payments"}
	// {"otelretry.request.duration_count","retry.dependency"="payments"}
}

func ExampleParse() {
	n, err := promname.Parse("notranslation")
	fmt.Println(n, err)
	// Output: NoTranslation <nil>
}
