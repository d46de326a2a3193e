package command_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/retrykit/retrykit/analyzer"
	"github.com/retrykit/retrykit/analyzer/migrate"
	"github.com/retrykit/retrykit/analyzer/unusedignore"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/command"
	"github.com/retrykit/retrykit/cmd/retrylint/internal/options"
	"github.com/retrykit/retrykit/internal/cli"
)

// TestMain makes the test binary three programs for the scripts: retrylint
// itself, retrystat, whose reports it reads, and fetchlint, which is the same driver around a suite made to try
// the driver out.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"retrylint": func() {
			os.Exit(command.Main(options.Suite{
				Default: analyzer.Default(), OptIn: analyzer.OptIn(), Extra: []*analysis.Analyzer{migrate.Analyzer}, UnusedIgnores: unusedignore.Analyzer,
			}, os.Args, os.Stdout, os.Stderr))
		},
		"retrystat": func() {
			os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Env{
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Terminal: func(io.Writer) bool { return false },
			}))
		},
		"fetchlint": func() {
			os.Exit(command.Main(options.Suite{
				Default: []*analysis.Analyzer{fetch}, OptIn: []*analysis.Analyzer{boom, hang},
			}, os.Args, os.Stdout, os.Stderr))
		},
	})
}

func TestScripts(t *testing.T) {
	goCommand := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		return strings.TrimSpace(string(out))
	}
	caches := []string{
		"GOCACHE=" + goCommand("GOCACHE"),
		"GOMODCACHE=" + goCommand("GOMODCACHE"),
		"GOPROXY=off", // what the scripts need stands in them
		"GOFLAGS=-mod=mod",
		"GOTOOLCHAIN=local",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
	repository, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, caches...)
			env.Vars = append(env.Vars, "REPOSITORY="+repository)
			for _, name := range []string{"retrylint", "fetchlint"} {
				path, err := exec.LookPath(name)
				if err != nil {
					return err
				}
				env.Vars = append(env.Vars, strings.ToUpper(name)+"="+path)
			}
			return nil
		},
	})
}

// fetches is the fact that a function calls Fetch.
type fetches struct{}

func (*fetches) AFact()         {}
func (*fetches) String() string { return "fetches" }

// settled is what fetch stands on; it has a flag of its own, as the model of
// retry sites does.
var settled = &analysis.Analyzer{
	Name: "settled",
	Doc:  "stand below a check",
}

var factsOnly = settled.Flags.Bool("facts-only", false, "for drivers, not for users")

var inTests = settled.Flags.Bool("tests", false, "also look at test files")

// fetch reports calls of functions named Fetch, and of functions that call
// one, which it knows by a fact.
var fetch = &analysis.Analyzer{
	Name:      "fetch",
	Doc:       "reports calls that fetch\n\nA longer text about fetching.",
	URL:       "https://example.com/fetch",
	Requires:  []*analysis.Analyzer{inspect.Analyzer, settled},
	FactTypes: []analysis.Fact{new(fetches)},
}

var alsoNamed = fetch.Flags.String("name", "", "another function `name` that fetches")

func init() {
	settled.Run = func(pass *analysis.Pass) (any, error) {
		if *factsOnly && os.Getenv("FETCHLINT_SAYS") != "" {
			fmt.Fprintf(os.Stderr, "nothing but facts of %s\n", pass.Pkg.Path())
		}
		return nil, nil
	}
	fetch.Run = func(pass *analysis.Pass) (any, error) {
		root := inspector.New(pass.Files).Root()
		for cur := range root.Preorder((*ast.CallExpr)(nil)) {
			call := cur.Node().(*ast.CallExpr)
			if !*inTests && strings.HasSuffix(pass.Fset.Position(call.Pos()).Filename, "_test.go") {
				continue
			}
			var id *ast.Ident
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				id = fun
			case *ast.SelectorExpr:
				id = fun.Sel
			default:
				continue
			}
			callee, ok := pass.TypesInfo.Uses[id].(*types.Func)
			if !ok {
				continue
			}
			direct := id.Name == "Fetch" || *alsoNamed != "" && id.Name == *alsoNamed
			if !direct && !pass.ImportObjectFact(callee, new(fetches)) {
				continue
			}
			for up := range cur.Enclosing((*ast.FuncDecl)(nil)) {
				if fn, ok := pass.TypesInfo.Defs[up.Node().(*ast.FuncDecl).Name].(*types.Func); ok {
					pass.ExportObjectFact(fn, new(fetches))
				}
			}
			d := analysis.Diagnostic{
				Pos: call.Pos(), End: call.End(), Category: "fetch", Message: id.Name + " fetches; don't",
				Related: []analysis.RelatedInformation{{Pos: id.Pos(), End: id.End(), Message: "the name"}},
			}
			if direct {
				d.SuggestedFixes = []analysis.SuggestedFix{{
					Message:   "call Get instead",
					TextEdits: []analysis.TextEdit{{Pos: id.Pos(), End: id.End(), NewText: []byte("Get")}},
				}}
			}
			pass.Report(d)
		}
		return nil, nil
	}
}

// boom fails, as a check with a bug does.
var boom = &analysis.Analyzer{
	Name: "boom",
	Doc:  "reports nothing, loudly",
	Run: func(pass *analysis.Pass) (any, error) {
		return nil, fmt.Errorf("boom: internal error in package %s", pass.Pkg.Path())
	},
}

// hang takes for ever, as a check may on a program that nobody thought of.
var hang = &analysis.Analyzer{
	Name: "hang",
	Doc:  "reports nothing, never",
	Run: func(*analysis.Pass) (any, error) {
		fmt.Fprintln(os.Stderr, "hanging")
		select {}
	},
}
