package telemetry_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/telemetry"
)

const report = `{
	"schema_version": 1,
	"window": {"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:01:40Z"},
	"operations": [
		{"dependency": "payments", "operation": "charge", "call_site": "/build/shop/pay.go:15", "requests": 1000, "attempts": 1200,
			"added_latency_seconds": {"mean": 0.05}},
		{"dependency": "payments", "operation": "refund", "call_site": "example.com/shop/internal/refund/refund.go:40", "requests": 100, "attempts": 350,
			"added_latency_seconds": {"mean": null}},
		{"dependency": "mail", "operation": "send", "call_site": "/build/other/pay.go:15", "requests": 5, "attempts": 50},
		{"dependency": "mail", "operation": "count", "call_site": null, "requests": 5, "attempts": 50},
		{"dependency": "mail", "operation": "odd", "call_site": "nowhere", "requests": 5, "attempts": 50}
	],
	"total": {"requests": 1110}
}`

func at(check, file string, line, first, last int) finding.Finding {
	return finding.Finding{
		Check: check, Package: "example.com/shop", FunctionLines: [2]int{first, last},
		Range: finding.Range{File: file, Start: finding.Position{Line: line}, End: finding.Position{Line: line}},
	}
}

func TestJoin(t *testing.T) {
	r, err := telemetry.Parse([]byte(report))
	require.NoError(t, err)
	refund := at("freshkey", "/home/me/shop/internal/refund/refund.go", 44, 38, 60)
	refund.Package = "example.com/shop/internal/refund"
	findings := []finding.Finding{
		at("bareretry", "/home/me/shop/pay.go", 12, 10, 20),
		at("blindsleep", "/home/me/shop/pay.go", 30, 25, 40),
		refund,
	}
	unmatched := r.Join(findings, "/home/me/shop")

	assert.Equal(t, "freshkey", findings[0].Check, "most retries a second first")
	assert.Equal(t, "bareretry", findings[1].Check)
	assert.Equal(t, "blindsleep", findings[2].Check, "not measured")
	assert.Nil(t, findings[2].Cost)

	assert.Equal(t, int64(250), findings[0].Cost.Retries)
	assert.InDelta(t, 2.5, *findings[0].Cost.RetriesPerSecond, 1e-9)
	assert.Nil(t, findings[0].Cost.AddedSeconds, "not measured is not 0")
	assert.InDelta(t, 50, *findings[1].Cost.AddedSeconds, 1e-9)

	assert.Equal(t, telemetry.Unmatched{
		Operations: 5, NoCallSite: 1, NoFinding: 1,
		BadCallSites: []string{`the call site "nowhere" is not of the form file:line`},
	}, unmatched)
}

func TestNearestCallSiteWins(t *testing.T) {
	r, err := telemetry.Parse([]byte(`{"schema_version": 1, "operations": [
		{"operation": "far", "call_site": "/home/me/shop/pay.go:11", "requests": 1, "attempts": 9},
		{"operation": "near", "call_site": "/home/me/shop/pay.go:17", "requests": 1, "attempts": 2}]}`))
	require.NoError(t, err)
	findings := []finding.Finding{at("bareretry", "/home/me/shop/pay.go", 16, 10, 20)}
	r.Join(findings, "/home/me/shop")
	assert.Equal(t, "near", findings[0].Cost.Operation)
	assert.Nil(t, findings[0].Cost.RetriesPerSecond, "the report has no window")
}

func TestParseRefuses(t *testing.T) {
	for name, content := range map[string]string{
		"empty":        "",
		"other JSON":   `{"resourceMetrics": []}`,
		"next version": `{"schema_version": 2}`,
		"a string":     `{"schema_version": 1, "operations": [{"requests": "many"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := telemetry.Parse([]byte(content))
			assert.Error(t, err)
		})
	}
}

func FuzzJoin(f *testing.F) {
	f.Add([]byte(report))
	f.Add([]byte(`{"schema_version": 1, "operations": [{"call_site": "a.go:1", "requests": -9223372036854775808, "attempts": 1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := telemetry.Parse(data)
		if err != nil {
			return
		}
		findings := []finding.Finding{at("bareretry", "/home/me/shop/pay.go", 12, 10, 20), at("x", "/home/me/shop/a.go", 1, 1, 1)}
		r.Join(findings, "/home/me/shop")
		assert.Len(t, findings, 2)
	})
}
