package reader_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/retrykit/retrykit/internal/dialect"
	"github.com/retrykit/retrykit/internal/figures"
	"github.com/retrykit/retrykit/internal/reader"
	"github.com/retrykit/retrykit/internal/render"
	"github.com/retrykit/retrykit/internal/telemetry"
)

// The whole way from telemetry to a table.
func ExampleRead() {
	const exposition = `# TYPE otelretry_requests_total counter
otelretry_requests_total{retry_dependency="payments",retry_operation="charge",retry_outcome="first_attempt_success"} 90
otelretry_requests_total{retry_dependency="payments",retry_operation="charge",retry_outcome="retried_success"} 10
`
	b := figures.NewBuilder(figures.Options{})
	err := reader.Read(context.Background(), []string{"-"}, b, reader.Options{
		Stdin: strings.NewReader(exposition), Registry: telemetry.NewRegistry(dialect.Catalog(), 0),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := render.Write(os.Stdout, "markdown", b.Summary(), render.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// | dependency | operation | requests | att/req | first | eventual | added | added p95 | retries by class |
	// | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
	// | payments | charge | 100 | - | 90.00% | 100.00% | - | - | - |
	//
	// - times unknown: 1 file, 274 B, 2 points, 0 spans
}
