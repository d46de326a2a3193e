// Package rules writes Prometheus recording and alerting rules for the
// telemetry contract, and promtool unit tests beside them.
//
// The recording rules are the figures of package figures under plain names;
// the alerts ask the recorded series only. Settings say what to ask about and
// how much is too much. Build turns settings into a File, which is written as
// a rule file or as a PrometheusRule object; UnitTests turns the same settings
// into tests; Propose turns measured figures into thresholds, with reasons.
package rules
