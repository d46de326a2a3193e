package modulefacts_test

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/modulefacts"
)

type fact struct{}

func (*fact) AFact() {}

func TestImport(t *testing.T) {
	object := func(path string) types.Object {
		return types.NewVar(token.NoPos, types.NewPackage(path, "p"), "x", types.Typ[types.Int])
	}
	own := object("example.com/shop/pay")
	pass := &analysis.Pass{Pkg: own.Pkg(), ImportObjectFact: func(types.Object, analysis.Fact) bool { return true }}
	tests := []struct {
		module string
		obj    types.Object
		want   bool
	}{
		{"example.com/shop", own, true},
		{"example.com/shop", object("example.com/shop"), true},
		{"example.com/shop", object("example.com/shop/mail"), true},
		{"example.com/shop", object("example.com/shopping"), false},
		{"example.com/shop", object("example.com/lib"), false},
		{"example.com/shop", object("net/http"), false},
		{"example.com/shop", types.Universe.Lookup("error"), true}, // no package
		{"example.com/other", own, true},                           // the package at hand, whatever the module says
		{"", object("example.com/lib"), true},                      // the driver does not say
	}
	for _, tt := range tests {
		pass.Module = &analysis.Module{Path: tt.module}
		assert.Equal(t, tt.want, modulefacts.Import(pass)(tt.obj, new(fact)), "%s in %q", tt.obj, tt.module)
	}
	pass.Module = nil
	assert.True(t, modulefacts.Import(pass)(object("example.com/lib"), new(fact)))
}
