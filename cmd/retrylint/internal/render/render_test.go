package render_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/analyze"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/render"
)

var update = flag.Bool("update", false, "rewrite the goldens")

var checks = []*analysis.Analyzer{
	{Name: "bareretry", Doc: "reports retries that look at nothing\n\nMore <text> & \"quotes\".", URL: "https://example.com/bareretry"},
	{Name: "freshkey", Doc: "reports keys that are made anew"},
}

func at(file string, line, column, endLine, endColumn int) finding.Range {
	return finding.Range{
		File: file, Start: finding.Position{Line: line, Column: column}, End: finding.Position{Line: endLine, Column: endColumn},
	}
}

// sample has one of everything. Its files are those of testdata/src.
func sample(t *testing.T) render.Report {
	root, err := filepath.Abs("testdata/src")
	require.NoError(t, err)
	file := filepath.Join(root, "shop", "pay ü.go")
	rate, added := 12.5, 3600.0
	findings := []finding.Finding{
		{
			Check: "bareretry", Level: finding.Error, Message: `retries every error: 100%, so "400" is sent; decide`,
			URL: "https://example.com/bareretry", Package: "example.com/shop", Function: "example.com/shop.(*Client).Pay",
			Range: at(file, 4, 15, 6, 3), Snippet: `/* ü */ for { call("ü, x") }`,
			Related: []finding.Related{{Range: at(file, 5, 3, 5, 9), Message: "the wait"}},
			Fixes: []finding.Fix{{Message: "look at it", Edits: []finding.Edit{
				{File: file, Start: 10, End: 12, New: "x\n", Range: at(file, 5, 3, 5, 9)},
				{File: file, Start: 20, End: 20, New: "y", Range: at(file, 6, 1, 6, 1)},
			}}},
			Cost: &finding.Cost{Dependency: "payments", Operation: "charge", CallSite: "shop/pay ü.go:4", Requests: 100, Retries: 30,
				RetriesPerSecond: &rate, AddedSeconds: &added},
		},
		{
			Check: "freshkey", Level: finding.Note, Message: "makes a key <anew> & again\x1b[31m", Package: "example.com/shop",
			Function: "example.com/shop.New", Range: at("/elsewhere/gen.go", 7, 1, 7, 1), Snippet: "",
		},
		{
			Check: "freshkey", Level: finding.Warning, Message: "twice", Package: "example.com/shop",
			Function: "example.com/shop.New", Range: at("/elsewhere/gen.go", 8, 2, 8, 5), Snippet: "x",
			Cost: &finding.Cost{Dependency: "d", Operation: "o", CallSite: "gen.go:8", Requests: 1},
		},
	}
	finding.Number(findings)
	return render.Report{
		Findings: findings,
		Problems: []analyze.Problem{{Package: "example.com/broken", Position: "broken.go:1:1", Message: "undefined: x"}},
		Stale:    []finding.Key{{Check: "bareretry", Function: "example.com/shop.Old", Snippet: "for {"}},
		Checks:   checks,
		Levels:   map[string]finding.Level{"bareretry": finding.Error},
		Root:     root,
		Version:  "v1.2.3",
	}
}

var formats = map[string]func(io.Writer, render.Report) error{
	"text":       func(w io.Writer, r render.Report) error { return render.Text(w, r, render.TextOptions{Context: 1}) },
	"color":      func(w io.Writer, r render.Report) error { return render.Text(w, r, render.TextOptions{Color: true}) },
	"short":      func(w io.Writer, r render.Report) error { return render.Text(w, r, render.TextOptions{Context: -1}) },
	"json":       render.JSON,
	"vet":        render.VetJSON,
	"sarif":      render.SARIF,
	"github":     render.GitHub,
	"checkstyle": render.Checkstyle,
}

func TestGoldens(t *testing.T) {
	for name, format := range formats {
		t.Run(name, func(t *testing.T) {
			r := sample(t)
			var out bytes.Buffer
			require.NoError(t, format(&out, r))
			got := strings.ReplaceAll(out.String(), filepath.ToSlash(r.Root), "/ROOT")
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "make it with -update")
			assert.Equal(t, string(want), got)
		})
	}
}

func TestNothingFound(t *testing.T) {
	for name, format := range formats {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, format(&out, render.Report{Root: "/src", Checks: checks}))
			assert.NotContains(t, out.String(), "null")
		})
	}
}

func TestSARIFIsValid(t *testing.T) {
	reports := map[string]render.Report{
		"sample":  sample(t),
		"nothing": {Root: "/src"},
		"many":    many(200),
		"windows": windows(),
	}
	schema := sarifSchema(t)
	for name, r := range reports {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, render.SARIF(&out, r))
			document, err := jsonschema.UnmarshalJSON(&out)
			require.NoError(t, err)
			assert.NoError(t, schema.Validate(document))
		})
	}
	t.Run("the schema can refuse", func(t *testing.T) {
		assert.Error(t, schema.Validate(map[string]any{"version": "2.1.0"}))
	})
}

// sarifSchema is the official one, kept in testdata.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	file, err := os.Open("testdata/sarif-schema-2.1.0.json")
	require.NoError(t, err)
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("sarif.json", document))
	compiler.AssertFormat() // uri and the like are checked too
	schema, err := compiler.Compile("sarif.json")
	require.NoError(t, err)
	return schema
}

func many(n int) render.Report {
	r := render.Report{Root: "/src", Checks: checks}
	for i := range n {
		r.Findings = append(r.Findings, finding.Finding{
			Check: "bareretry", Level: finding.Warning, Message: "again", Package: "p", Function: "p.F",
			Range: at(fmt.Sprintf("/src/f%04d.go", i/100), i%100+1, 1, i%100+1, 5), Snippet: "for {",
		})
	}
	finding.Number(r.Findings)
	return r
}

func windows() render.Report {
	return render.Report{Root: `C:\src\my shop`, Checks: checks, Findings: []finding.Finding{
		{Check: "bareretry", Level: finding.Warning, Message: "m", Function: "p.F", Range: at(`C:\src\my shop\a b\pay.go`, 1, 1, 1, 2)},
		{Check: "bareretry", Level: finding.Warning, Message: "m", Function: "p.F", Range: at(`c:\src\my shop\100%.go`, 1, 1, 1, 2)},
		{Check: "bareretry", Level: finding.Warning, Message: "m", Function: "p.F", Range: at(`D:\other\x.go`, 1, 1, 1, 2)},
		{Check: "bareretry", Level: finding.Warning, Message: "m", Function: "p.F", Range: at(`\\server\share\x.go`, 1, 1, 1, 2)},
	}}
}

func TestSARIFPaths(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, render.SARIF(&out, windows()))
	var log struct {
		Runs []struct {
			OriginalURIBaseIDs map[string]struct{ URI string }
			Results            []struct {
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &log))
	assert.Equal(t, "file:///C:/src/my%20shop/", log.Runs[0].OriginalURIBaseIDs["%SRCROOT%"].URI)
	var got []string
	for _, result := range log.Runs[0].Results {
		loc := result.Locations[0].PhysicalLocation.ArtifactLocation
		got = append(got, strings.TrimSpace(loc.URIBaseID+" "+loc.URI))
	}
	assert.Equal(t, []string{
		"%SRCROOT% a%20b/pay.go", "%SRCROOT% 100%25.go", "file:///D:/other/x.go", "file://server/share/x.go",
	}, got)
}

func TestManyFindings(t *testing.T) {
	for name, format := range formats {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, format(&out, many(10_000)))
			assert.GreaterOrEqual(t, bytes.Count(out.Bytes(), []byte("again")), 10_000)
		})
	}
}

func TestCheckstyleIsXML(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, render.Checkstyle(&out, sample(t)))
	decoder := xml.NewDecoder(&out)
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

// broken fails after some bytes, as a full disk or a closed pipe does.
type broken struct{ room int }

func (b *broken) Write(p []byte) (int, error) {
	if len(p) > b.room {
		return b.room, io.ErrShortWrite
	}
	b.room -= len(p)
	return len(p), nil
}

func TestWriteErrorsAreReported(t *testing.T) {
	for name, format := range formats {
		t.Run(name, func(t *testing.T) {
			assert.Error(t, format(&broken{room: 100}, many(100)))
		})
	}
}
