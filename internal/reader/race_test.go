//go:build race

package reader_test

// checks of a property: under the race detector each takes several times as
// long. Every run draws others.
const checks = "6"
