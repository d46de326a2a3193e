//go:build race

package otelretry_test

// parallelRequests is how many requests are made at once to see that nothing
// grows. The race detector makes each of them twenty times as slow.
const parallelRequests = 50_000
