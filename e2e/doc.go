// Package e2e holds retrystat's rules and dashboards against the programs that
// they are written for: live against a Prometheus server that scrapes a service
// under load, engine against the parser, rule manager and OTLP endpoint of a
// current Prometheus, and schema against the schemas of Grafana and Perses. It
// is a module of its own, so that none of them reaches the go.sum of those who
// use this repository.
package e2e

import (
	"bytes"
	"context"
	"time"

	"github.com/retrykit/retrykit/internal/rules"
)

// DependencyOf names the dependency that a route of the demo's flaky server
// plays.
func DependencyOf(route string) string {
	return map[string]string{
		"GET /customers/{id}": "customers", "PUT /stock/{id}": "inventory", "GET /quotes/{id}": "shipping", "POST /charges": "payments",
	}[route]
}

// RuleFile is the rule file of the settings.
func RuleFile(s rules.Settings) ([]byte, error) {
	file, err := rules.Build(s)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = file.Write(&text, nil)
	return text.Bytes(), err
}

// Pass lets time pass in a test of programs that go by the wall clock.
func Pass(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
