// Package otelretrytest tests code that retries with package otelretry: a
// clock that drives waits, time limits and randomness and records the
// schedule, and a recorder that asserts on spans and metrics.
package otelretrytest
