//go:build !race

package otelretry_test

// parallelRequests is how many requests are made at once to see that nothing
// grows.
const parallelRequests = 1_000_000
