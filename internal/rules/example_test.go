package rules_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/retrykit/retrykit/internal/rules"
)

func ExampleBuild() {
	s := rules.Default()
	if err := s.Read(strings.NewReader("thresholds: {attempts_page: 1.5}")); err != nil {
		fmt.Println(err)
		return
	}
	file, err := rules.Build(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			if r.Alert == rules.RetryAttemptsPerRequestHigh && strings.Contains(r.Expr, "1.5") {
				fmt.Println(g.Name, r.Alert, r.Labels["severity"], time.Duration(r.For))
			}
		}
	}
	// Output: retry_alerts RetryAttemptsPerRequestHigh page 5m0s
}
