//go:build !race

package reader_test

// checks of a property.
const checks = "15"
