package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../.."

// TestPrecisionIsCurrent holds what docs says of the precision to the golden
// files and the verdicts beside them.
func TestPrecisionIsCurrent(t *testing.T) {
	files, err := precisionFiles(root)
	require.NoError(t, err)
	require.Len(t, files, 2)
	for name, want := range files {
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, want, string(got), "%s is old; run go run ./analyzer/internal/goldenmodules -precision", name)
	}
}

// TestVerdictsAreOfModules finds a verdict whose module is misspelt, which
// would count for nothing.
func TestVerdictsAreOfModules(t *testing.T) {
	modules, err := readModules(filepath.Join(root, "testdata", "golden", "modules.tsv"))
	require.NoError(t, err)
	verdicts, err := readVerdicts(filepath.Join(root, "testdata", "golden", "verdicts.tsv"))
	require.NoError(t, err)
	for _, v := range verdicts {
		_, err := choose(modules, []string{v.module})
		assert.NoError(t, err)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	var r report
	r.Problems = append(r.Problems, struct{ Package, Position, Message string }{"example.com/m/bad", "", "/mod/m@v1/bad/x.go: no such type"})
	add := func(check, file string, line int) {
		f := struct {
			Check, Message, Package, Function, File string
			Start                                   struct{ Line int }
		}{Check: check, Message: "says " + check, Package: "example.com/m/pay", Function: "example.com/m/pay.(*Client).Charge", File: file}
		f.Start.Line = line
		r.Findings = append(r.Findings, f)
	}
	add("nojitter", "/mod/m@v1/pay/b.go", 10)
	add("bareretry", "/mod/m@v1/pay/b.go", 9)
	add("bareretry", "/mod/m@v1/pay/a.go", 100)
	text, err := r.text("/mod/m@v1")
	require.NoError(t, err)
	assert.Equal(t, "# not analysed: example.com/m/bad: /bad/x.go: no such type\n"+
		"place\tcheck\tfunction\tmessage\n"+
		"pay/a.go:100\tbareretry\t(*Client).Charge\tsays bareretry\n"+
		"pay/b.go:9\tbareretry\t(*Client).Charge\tsays bareretry\n"+
		"pay/b.go:10\tnojitter\t(*Client).Charge\tsays nojitter\n", text)

	file := filepath.Join(t.TempDir(), "m.tsv")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	findings, err := readGolden(file)
	require.NoError(t, err)
	assert.Equal(t, finding{"pay/a.go:100", "bareretry", "(*Client).Charge", "says bareretry"}, findings[0])
	assert.Len(t, findings, 3)

	add("bareretry", "/elsewhere/c.go", 1)
	_, err = r.text("/mod/m@v1")
	assert.ErrorContains(t, err, "/elsewhere/c.go")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	assert.Empty(t, compare("a\nb\n", "a\nb\n"))
	assert.Equal(t, "-b\n+c\n", compare("a\nb\n", "a\nc\n"))
	assert.Equal(t, "+a\n", compare("", "a\n"))
}

func TestCounts(t *testing.T) {
	t.Parallel()
	verdicts := []verdict{
		{"m", "a.go:1", "bareretry", true, "so"},
		{"m", "a.go:2", "bareretry", false, "so"},
		{"m", "a.go:3", "bareretry", false, "so"},
	}
	got := counts(verdicts, func(v verdict) bool { return v.place != "a.go:3" })
	assert.Equal(t, map[string]count{"bareretry": {read: 2, right: 1, firstRead: 3, firstRight: 1}}, got)
	assert.Equal(t, "check\tread\tright\nbareretry\t2\t1\n", table(got))
}

func TestSights(t *testing.T) {
	t.Parallel()
	text := sights(2, map[string]count{"bareretry": {read: 1, right: 1, firstRead: 3, firstRight: 1}, "nojitter": {read: 1, right: 1, firstRead: 1, firstRight: 1}},
		1, map[string]count{})
	assert.Equal(t, "| modules | | right at first sight | right now |\n|---|---:|---:|---:|\n"+
		"| not seen before | 2 | 2 of 4, 50 % | 2 of 2, 100 % |\n"+
		"| the others | 1 | - | - |\n\n", text)
}

func TestTablesSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "t.tsv")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	_, err := readModules(write("name\tmodule\n"))
	assert.ErrorContains(t, err, `no column "version"`)
	_, err = readModules(write("name\tmodule\tversion\tsum\tpackages\tunseen\nm\texample.com/m\tv1.0.0\t\t...\tno\n"))
	assert.ErrorContains(t, err, "every column")
	_, err = readModules(write("name\tmodule\tversion\tsum\tpackages\tunseen\nm\texample.com/m\tv1.0.0\th1:x\t...\tperhaps\n"))
	assert.ErrorContains(t, err, `not "perhaps"`)
	const titles = "module\tplace\tcheck\tverdict\treason\n"
	_, err = readVerdicts(write(titles + "m\ta.go:1\tbareretry\tmaybe\tso\n"))
	assert.ErrorContains(t, err, `not "maybe"`)
	_, err = readVerdicts(write(titles + "m\ta.go:1\tbareretry\tright\tso\nm\ta.go:1\tbareretry\twrong\tno\n"))
	assert.ErrorContains(t, err, "second verdict")
}

func TestUsage(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := run(t.Context(), []string{"-root", root, "-retrylint", "unused", "-cache", t.TempDir(), "nosuch"}, &out, &out)
	assert.ErrorContains(t, err, `no module is called "nosuch"`)
}
