package analyze

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWholeModule(t *testing.T) {
	t.Parallel()
	dir, without, broken := t.TempDir(), t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\nrequire example.com/lib/v2 v2.0.0\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "go.mod"), []byte("module\n((\n"), 0o600))
	tests := map[string]struct {
		dir      string
		patterns []string
		want     bool
	}{
		"all here":              {dir, []string{"./..."}, true},
		"this module":           {dir, []string{"example.com/m/..."}, true},
		"a module that it uses": {dir, []string{"example.com/lib/v2/..."}, true},
		"a part of a module":    {dir, []string{"example.com/lib/v2/a/..."}, false},
		"more than a module":    {dir, []string{"example.com/..."}, false},
		"a folder":              {dir, []string{"./a/..."}, false},
		"a package":             {dir, []string{"example.com/m"}, false},
		"two patterns":          {dir, []string{"./...", "example.com/m/..."}, false},
		"below the module":      {without, []string{"./..."}, false},
		"no module to look at":  {without, []string{"example.com/m/..."}, false},
		"a broken go.mod":       {broken, []string{"example.com/m/..."}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, wholeModule(tt.dir, tt.patterns))
		})
	}
}
