package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/migrate"
)

// TestExamples holds the documentation of each check to its word: the code
// under Before compiles and is reported, the code under After compiles and is
// not.
func TestExamples(t *testing.T) {
	imports := loadImports(t)
	for _, a := range append(analyzer.All(), migrate.Analyzer) {
		t.Run(a.Name, func(t *testing.T) {
			before, after := codeUnder(a.Doc, "Before"), codeUnder(a.Doc, "After")
			require.NotEmpty(t, before, "doc.go has no code under Before")
			require.NotEmpty(t, after, "doc.go has no code under After")

			assert.NotEmpty(t, lint(t, a, imports, before), "the code under Before is not reported:\n%s", before)
			assert.Empty(t, lint(t, a, imports, after), "the code under After is reported:\n%s", after)
		})
	}
}

// codeUnder returns the code below a heading of a doc comment.
func codeUnder(doc, heading string) string {
	var code []string
	under := ""
	for _, block := range new(comment.Parser).Parse(doc).Content {
		switch block := block.(type) {
		case *comment.Heading:
			under = fmt.Sprint(block.Text[0])
		case *comment.Code:
			if under == heading {
				code = append(code, block.Text)
			}
		}
	}
	return strings.Join(code, "\n")
}

// packagesByName are what examples may use without saying where it comes from.
var packagesByName = map[string]string{
	"bytes": "bytes", "context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "io": "io", "log": "log", "rand": "math/rand/v2",
	"slog": "log/slog", "sql": "database/sql", "strconv": "strconv", "strings": "strings", "syscall": "syscall", "time": "time", "uuid": "github.com/google/uuid",
	"os": "os", "url": "net/url", "json": "encoding/json", "sync": "sync", "net": "net", "otelretry": "github.com/retrykit/retrykit/otelretry",
}

// prelude is what examples are about: a client of a remote service.
const prelude = `
type Order struct{ ID string; Amount int; Key string }
type Receipt struct{ ID string }
type Client struct{ HTTP *http.Client }

var ErrUnavailable, ErrExhausted = errors.New("unavailable"), errors.New("exhausted")

const endpoint = "https://payments.example.com/charge"

func (c *Client) Charge(ctx context.Context, order Order) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, nil)
	if err != nil {
		return err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func send(ctx context.Context, order Order) error { return new(Client).Charge(ctx, order) }
`

// A setting is a function that an example may be the body of. The example is
// a block of its own, so that it may declare what is declared around it.
type setting struct{ head, tail string }

var settings = []setting{
	{"", ""}, // whole declarations
	{"func example(ctx context.Context, client *Client, order Order, req *http.Request, maxAttempts int, delay time.Duration, body []byte) (err error) {\n{\n", "\n}\nreturn err\n}\n"},
	{"func example(ctx context.Context, client *Client, order Order, req *http.Request, maxAttempts int, delay time.Duration, body []byte) (resp *http.Response, err error) {\n{\n", "\n}\nreturn resp, err\n}\n"},
	{"func example(ctx context.Context, client *Client, order Order, req *http.Request, maxAttempts int, delay time.Duration, body []byte) {\nvar err error; _ = err\n{\n", "\n}\n}\n"},
}

// lint runs a check over an example and returns what it says.
func lint(t *testing.T, a *analysis.Analyzer, imports types.Importer, code string) []string {
	t.Helper()
	var errs []error
	for _, s := range settings {
		pkg, err := compile(imports, s.head+code+s.tail)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{pkg}, nil)
		require.NoError(t, err)
		var said []string
		for _, act := range graph.Roots {
			require.NoError(t, act.Err)
			for _, d := range act.Diagnostics {
				said = append(said, d.Message)
			}
		}
		return said
	}
	require.NoError(t, errors.Join(errs...), "the example does not compile in any setting:\n%s", code)
	return nil
}

// compile makes a package of an example.
func compile(imports types.Importer, body string) (*packages.Package, error) {
	source := prelude + body
	var head strings.Builder
	head.WriteString("package example\n\n")
	for _, name := range slices.Sorted(maps.Keys(packagesByName)) {
		if regexp.MustCompile(`\b` + name + `\.\w`).MatchString(source) {
			fmt.Fprintf(&head, "import %s %q\n", name, packagesByName[name])
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "example.go", head.String()+source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	config := types.Config{Importer: imports, Sizes: types.SizesFor("gc", "amd64"), GoVersion: "go1.26"}
	pkg, err := config.Check("example.com/example", fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	return &packages.Package{
		ID: pkg.Path(), Name: pkg.Name(), PkgPath: pkg.Path(), Fset: fset, Syntax: []*ast.File{file}, Types: pkg, TypesInfo: info,
		TypesSizes: config.Sizes, Module: &packages.Module{Path: pkg.Path()},
	}, nil
}

// loadImports loads the packages that examples use, from export data.
func loadImports(t *testing.T) types.Importer {
	t.Helper()
	var paths []string
	for _, path := range packagesByName {
		paths = append(paths, path)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, paths...)
	require.NoError(t, err)
	found := make(importer)
	for _, pkg := range loaded {
		require.Empty(t, pkg.Errors)
		found[pkg.PkgPath] = pkg.Types
	}
	return found
}

type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if pkg, ok := i[path]; ok {
		return pkg, nil
	}
	return nil, fmt.Errorf("examples do not use %s", path)
}
