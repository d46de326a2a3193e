package checkdoc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
)

func TestText(t *testing.T) {
	tests := map[string]struct{ source, want string }{
		"one sentence": {
			"// Package lost reports what is lost.\npackage lost\n",
			"reports what is lost",
		},
		"summary over two lines, then sections": {
			"// Package lost reports what\n// is lost.\n//\n// # Before\n//\n//\tcode()\npackage lost\n",
			"reports what is lost\n\n# Before\n\n\tcode()",
		},
		"more in the first paragraph": {
			"// Package lost reports what is lost. It looks twice.\n//\n// And more.\npackage lost\n",
			"reports what is lost\n\nIt looks twice.\n\nAnd more.",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, checkdoc.Text(tt.source))
		})
	}
}

func TestTextRefuses(t *testing.T) {
	for name, source := range map[string]string{
		"no comment":    "package lost\n",
		"another start": "// Reports what is lost.\npackage lost\n",
		"not Go":        "Package lost",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Panics(t, func() { checkdoc.Text(source) })
		})
	}
}
