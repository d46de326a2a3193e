// Package otelretryhttp has the signatures of
// github.com/retrykit/retrykit/otelretry/otelretryhttp.
package otelretryhttp

import "net/http"

type Option interface{ apply() }

func WithOperationName(name func(*http.Request) string) Option { return nil }
