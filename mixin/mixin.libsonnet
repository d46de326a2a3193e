// Written by retrystat dashboard --mixin; do not edit.
{
  prometheusRules+:: std.parseYaml(importstr 'rules.yaml'),
  prometheusAlerts+:: std.parseYaml(importstr 'alerts.yaml'),
  grafanaDashboards+:: {
    'retries.json': import 'dashboards/grafana.json',
  },
}
