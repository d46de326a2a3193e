// Package mixin makes the folder that others vendor: rules, alerts, their unit
// tests and dashboards, for those who use jsonnet and for those who do not.
package mixin

import (
	"bytes"

	"github.com/retrykit/retrykit/internal/dashboard"
	"github.com/retrykit/retrykit/internal/rules"
)

// Files returns the files of the folder by their paths in it.
func Files(s rules.Settings) (map[string][]byte, error) {
	file, err := rules.Build(s)
	if err != nil {
		return nil, err
	}
	recordings, alerts := file.Split()
	written := []string{"Written by retrystat dashboard --mixin; do not edit."}
	out := map[string][]byte{"mixin.libsonnet": []byte(libsonnet)}
	for path, write := range map[string]func(*bytes.Buffer) error{
		"rules.yaml":  func(b *bytes.Buffer) error { return recordings.Write(b, written) },
		"alerts.yaml": func(b *bytes.Buffer) error { return alerts.Write(b, written) },
		"tests.yaml": func(b *bytes.Buffer) error {
			return rules.WriteUnitTests(b, s, []string{"rules.yaml", "alerts.yaml"}, written)
		},
		"dashboards/grafana.json": func(b *bytes.Buffer) error { return dashboard.WriteGrafana(b, s) },
		"dashboards/perses.json":  func(b *bytes.Buffer) error { return dashboard.WritePerses(b, s, "default") },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return nil, err
		}
		out[path] = b.Bytes()
	}
	return out, nil
}

// libsonnet is what the monitoring mixins' tools look for.
const libsonnet = `// Written by retrystat dashboard --mixin; do not edit.
{
  prometheusRules+:: std.parseYaml(importstr 'rules.yaml'),
  prometheusAlerts+:: std.parseYaml(importstr 'alerts.yaml'),
  grafanaDashboards+:: {
    'retries.json': import 'dashboards/grafana.json',
  },
}
`
