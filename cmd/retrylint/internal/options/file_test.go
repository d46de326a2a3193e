package options_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
)

func TestFindFile(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "mod", "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	write := func(name string) string {
		name = filepath.Join(root, name)
		require.NoError(t, os.WriteFile(name, nil, 0o644))
		return name
	}
	write(options.FileName) // above the module: not its settings
	write("mod/go.mod")

	name, err := options.FindFile(deep)
	require.NoError(t, err)
	assert.Empty(t, name)

	want := write("mod/" + options.FileName)
	name, err = options.FindFile(deep)
	require.NoError(t, err)
	assert.Equal(t, want, name)

	want = write("mod/a/" + options.FileName)
	name, err = options.FindFile(deep)
	require.NoError(t, err)
	assert.Equal(t, want, name, "the nearest one counts")
}

type list []string

func (l *list) String() string     { return "" }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }
func (l *list) Repeats()           {}

func TestApply(t *testing.T) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	tests := fs.Bool("tests", false, "")
	tags := fs.String("tags", "", "")
	format := fs.String("format", "text", "")
	base := fs.String("baseline", "", "")
	var levels list
	fs.Var(&levels, "level", "")
	require.NoError(t, fs.Parse([]string{"-format=json"}))

	file, err := options.ParseFile([]byte("# ours\ntests: true\ntags: [a, b]\nformat: sarif\nbaseline: known.json\nlevel: [x=error, y=note]\n"))
	require.NoError(t, err)
	file.Name = filepath.FromSlash("/src/mod/.retrylint.yaml")
	require.NoError(t, file.Apply(fs, []string{"baseline"}))

	assert.True(t, *tests)
	assert.Equal(t, "a,b", *tags)
	assert.Equal(t, "json", *format, "the command line wins")
	assert.Equal(t, filepath.FromSlash("/src/mod/known.json"), *base)
	assert.Equal(t, list{"x=error", "y=note"}, levels)
}

func TestSettingsRefused(t *testing.T) {
	tests := map[string]struct{ content, want string }{
		"unknown flag": {"tests: true\nnosuch: 1\n", `settings.yaml:2: there is no flag "nosuch"`},
		"bad value":    {"tests: perhaps\n", `settings.yaml:1: tests: "perhaps"`},
		"no mapping":   {"- tests\n", "settings.yaml:1: want flags by name"},
		"nested":       {"tests: {a: b}\n", "settings.yaml:1: tests wants a value"},
		"nested list":  {"tests: [[a]]\n", "settings.yaml:1: tests wants a list of plain values"},
		"twice":        {"tests: true\ntests: false\n", "settings.yaml:2: tests is set twice"},
		"no YAML":      {"tests: [", "settings.yaml:1: it is no YAML"},
		"no name":      {"[a]: b\n", "settings.yaml:1: the name of a flag"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.yaml")
			require.NoError(t, os.WriteFile(file, []byte(tt.content), 0o644))
			fs := flag.NewFlagSet("", flag.ContinueOnError)
			fs.Bool("tests", false, "")
			settings, err := options.ReadFile(file)
			if err == nil {
				err = settings.Apply(fs, nil)
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte("tests: true\nlevel: [a=error]\n"))
	f.Add([]byte("a: &x [1]\nb: *x\n? [k]\n: v\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := options.ParseFile(data)
		if err != nil {
			return
		}
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.Bool("tests", false, "")
		fs.String("tags", "", "")
		_ = file.Apply(fs, []string{"tags"})
	})
}
