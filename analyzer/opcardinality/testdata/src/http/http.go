package http

import (
	"net/http"

	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

var (
	byPath   = otelretryhttp.WithOperationName(func(r *http.Request) string { return r.URL.Path }) // want `names the operation after r.URL.Path`
	byMethod = otelretryhttp.WithOperationName(func(r *http.Request) string { return r.Method })
	byRoute  = otelretryhttp.WithOperationName(func(r *http.Request) string {
		if r.URL.Path == "/orders" {
			return "orders"
		}
		return "other"
	})
)
