package stdlib_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/retrykit/retrykit/internal/stdlib"
)

func TestContains(t *testing.T) {
	for _, tt := range []struct {
		module, path string
		want         bool
	}{
		{"", "net/http", true},
		{"std", "net/http", true},
		{"", "vendor/golang.org/x/net/idna", true},
		{"", "internal/abi", true},
		{"", "golang.org/x/net/idna", false},
		{"", "shop/pay", false}, // a driver without modules
		{"", "iterators", false},
		{"", "", false},
		{"log", "log/pay", false}, // a module that has the name of a package
	} {
		assert.Equal(t, tt.want, stdlib.Contains(tt.module, tt.path), "%q in module %q", tt.path, tt.module)
	}
}
