package otelretry

// ScopeName is the instrumentation scope of every span and metric that this
// package emits: its import path.
const ScopeName = "github.com/retrykit/retrykit/otelretry"

// Version is the version of the instrumentation scope.
func Version() string { return "0.1.0" }
