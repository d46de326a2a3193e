// Package otelretry retries calls to a dependency and tells what that costs.
package otelretry
