package misspelt_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/retrykit/retrykit/internal/misspelt"
)

func TestNearest(t *testing.T) {
	names := []string{"payments/charge", "payments/refund", "stock/reserve", "503", "502", "timeout", "a", "b", "c", "d"}
	for text, want := range map[string][]string{
		"payments/chrage": {"payments/charge"},
		"Payments/Charge": {"payments/charge"},
		"50":              {"502", "503"},
		"tiemout":         {"timeout"},
		"time":            nil,
		"nothing like it": nil,
		"e":               {"a", "b", "c"},
		"":                {"a", "b", "c"},
	} {
		assert.ElementsMatch(t, want, misspelt.Nearest(text, names), text)
	}
}
