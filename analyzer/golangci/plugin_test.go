package golangci_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/analyzer"
	_ "github.com/retrykit/retrykit/analyzer/golangci"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

func TestPlugin(t *testing.T) {
	create, err := register.GetPlugin("retrylint")
	require.NoError(t, err)

	build := func(t *testing.T, settings any) []string {
		p, err := create(settings)
		require.NoError(t, err)
		assert.Equal(t, register.LoadModeTypesInfo, p.GetLoadMode())
		analyzers, err := p.BuildAnalyzers()
		require.NoError(t, err)
		var names []string
		for _, a := range analyzers {
			names = append(names, a.Name)
		}
		return names
	}
	var all []string
	for _, a := range analyzer.Default() {
		all = append(all, a.Name)
	}
	assert.Equal(t, all, build(t, nil))
	assert.Equal(t, all[1:], build(t, map[string]any{"disable": all[:1], "flags": map[string]any{"tests": false}}))
	assert.Contains(t, build(t, map[string]any{"unused-ignores": true}), "unusedignore")
	// A comment without a reason is told by one of them.
	elsewhere := func() string { return suppress.Analyzer.Flags.Lookup(suppress.ToldElsewhere).Value.String() }
	assert.Equal(t, "true", elsewhere())
	build(t, nil)
	assert.Equal(t, "false", elsewhere())
	for _, a := range analyzer.OptIn() {
		assert.Contains(t, build(t, map[string]any{"enable": []string{a.Name}}), a.Name)
	}

	for name, settings := range map[string]any{
		`no check "nosuch"`:   map[string]any{"disable": []string{"nosuch"}},
		`no flag "nosuch"`:    map[string]any{"flags": map[string]any{"nosuch": 1}},
		"flag tests: perhaps": map[string]any{"flags": map[string]any{"tests": "perhaps"}},
		"unknown field":       map[string]any{"disabled": []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := create(settings)
			assert.ErrorContains(t, err, name)
		})
	}
}
