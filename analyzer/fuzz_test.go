package analyzer_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrykit/retrykit/analyzer"
)

// FuzzSuite runs every check over random programs of odd shape, all of which
// type-check. No check may panic or fail.
func FuzzSuite(f *testing.F) {
	for _, seed := range []string{
		"", "retry", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17",
		"\x17\x16\x15\x14\x13\x12\x11\x10\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08\x07\x06\x05\x04\x03\x02\x01\x00",
		"\x17\x18\x09\x00\x17\x19\x09\x00\x08\x00\x18\x09\x00\x19\x01", "\x00\x00\x18\x09\x00\x06\x09\x00\x19\x00\x17\x08\x01\x09\x02",
		"\x03\x03\x03\x03\x05\x09\x07\x08\x02\x0b\x0a", "\x04\x00\x04\x00\x0c\x0d\x0e\x0f\x10\x11", "\x12\x03\x00\x06\x07\x13\x14\x05",
	} {
		f.Add([]byte(seed))
	}
	imports := dependencies(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 400 {
			return
		}
		source := (&program{data: data}).source()
		pkg, err := check(source, imports)
		if err != nil {
			t.Fatalf("a generated program does not type-check: %v\n%s", err, source)
		}
		graph, err := checker.Analyze(analyzer.All(), []*packages.Package{pkg}, nil)
		require.NoError(t, err)
		for _, act := range graph.Roots {
			require.NoError(t, act.Err, "%s\n%s", act.Analyzer.Name, source)
		}
	})
}

// dependencies returns an importer of what the programs import.
func dependencies(tb testing.TB) types.Importer {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps},
		"context", "errors", "fmt", "iter", "math/rand", "net/http", "time")
	require.NoError(tb, err)
	found := make(map[string]*types.Package)
	packages.Visit(pkgs, nil, func(p *packages.Package) { found[p.PkgPath] = p.Types })
	return &importers{found: found, other: importer.Default()}
}

type importers struct {
	mu    sync.Mutex
	found map[string]*types.Package
	other types.Importer
}

func (i *importers) Import(path string) (*types.Package, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if p := i.found[path]; p != nil {
		return p, nil
	}
	return i.other.Import(path)
}

func check(source string, imports types.Importer) (*packages.Package, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	sizes := types.SizesFor("gc", "amd64")
	pkg, err := (&types.Config{Importer: imports, Sizes: sizes, GoVersion: "go1.26"}).Check("example.com/p", fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	return &packages.Package{
		ID: "example.com/p", Name: "p", PkgPath: "example.com/p", Fset: fset, Syntax: []*ast.File{file},
		Types: pkg, TypesInfo: info, TypesSizes: sizes, Module: &packages.Module{Path: "example.com/p"},
	}, nil
}

// A program is written from bytes: each decides one choice. What it declares
// is used, so that whatever the bytes are, it type-checks.
type program struct {
	data   []byte
	text   strings.Builder
	labels int
	loops  []int // the labels of the loops around, of this function
	inLoop int   // how many loops and selects of this function are around
	fails  bool  // this function's result is an error
}

// choice takes the next byte; without one, the choice is the last, which ends
// what could go on.
func (p *program) choice(n int) int {
	if len(p.data) == 0 {
		return n - 1
	}
	b := int(p.data[0])
	p.data = p.data[1:]
	return b % n
}

const preamble = `package p

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand"
	"net/http"
	"time"
)

var (
	errBusy = errors.New("busy")
	_       = fmt.Sprint
	_       = rand.Int
)

type client struct {
	http    *http.Client
	ctx     context.Context
	retries int
	last    error
	next    *client
}

func (c *client) send(ctx context.Context, n int) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost", nil)
	if err != nil {
		return n, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

func items[T any](list ...T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, v := range list {
			if !yield(i, v) {
				return
			}
		}
	}
}

func again[T any, E interface{ ~int | ~int64 }](ctx context.Context, n E, op func(context.Context) (T, error)) (v T, err error) {
	for i := E(0); i < n; i++ {
		if v, err = op(ctx); err == nil {
			return v, nil
		}
	}
	return v, err
}

`

const signature = "(ctx context.Context, c *client, op func(context.Context) error, n int, d time.Duration) (err error) {\n" +
	"var (\nresp *http.Response\nok bool\ncode int\nch = make(chan error, 1)\n)\n_, _, _, _ = resp, ok, code, ch\n"

func (p *program) source() string {
	p.text.WriteString(preamble)
	for i := range 1 + p.choice(3) {
		fmt.Fprintf(&p.text, "func f%d%s", i, signature)
		p.fails = true
		if p.choice(2) == 0 { // a label to go back to
			p.text.WriteString("AGAIN:\nn++\n")
			p.block(3)
			p.text.WriteString("if err != nil && n < 5 {\ngoto AGAIN\n}\n")
		}
		p.block(4)
		p.text.WriteString("return err\n}\n\n")
	}
	return p.text.String()
}

func (p *program) block(depth int) {
	for range 4 {
		if !p.statement(depth) {
			return
		}
	}
}

// body writes a block in braces.
func (p *program) body(depth int) {
	p.text.WriteString("{\n")
	p.block(depth - 1)
	p.text.WriteString("}\n")
}

func (p *program) loop(depth int, head string) {
	label := p.labels
	p.labels++
	labelled := p.choice(2) == 0
	if labelled {
		fmt.Fprintf(&p.text, "L%d:\n", label)
		p.loops = append(p.loops, label)
	}
	p.inLoop++
	p.text.WriteString(head + "{\n")
	p.block(depth - 1)
	if labelled {
		fmt.Fprintf(&p.text, "if ok {\ncontinue L%d\n}\n", label)
		p.loops = p.loops[:len(p.loops)-1]
	}
	p.text.WriteString("}\n")
	p.inLoop--
}

// function writes statements of a function of its own, in which no loop is
// around. fails says that its result is an error.
func (p *program) function(depth int, fails bool) {
	loops, in, failed := p.loops, p.inLoop, p.fails
	p.loops, p.inLoop, p.fails = nil, 0, fails
	p.block(depth - 1)
	p.loops, p.inLoop, p.fails = loops, in, failed
}

var calls = []string{
	"err = op(ctx)\n",
	"code, err = c.send(ctx, n)\n",
	"resp, err = c.http.Get(\"http://localhost\")\n",
	"err = func() error { return op(c.ctx) }()\n",
	"code, err = again(ctx, 3, func(ctx context.Context) (int, error) { return c.send(ctx, n) })\n",
	"_, err = again[int, int64](context.Background(), int64(n), func(context.Context) (int, error) { return 1, op(ctx) })\n",
	"ch <- op(ctx)\n",
	"err = <-ch\n",
	"err = c.next.last\n",
	"err, c.last = c.last, err\n",
}

var waits = []string{
	"time.Sleep(d)\n", "d *= 2\n", "d <<= uint(n)\n", "d += time.Duration(rand.Int63n(int64(d) + 1))\n", "<-time.After(d)\n",
	"time.Sleep(time.Duration(1<<n) * time.Second)\n", "d = min(d, time.Minute)\n", "n++\n", "c.retries--\n", "c = c.next\n",
}

var conditions = []string{
	"err != nil", "err == nil", "errors.Is(err, errBusy)", "ctx.Err() != nil", "ok", "n > c.retries", "code == http.StatusTooManyRequests || err != nil",
	"resp != nil && resp.StatusCode >= 500", "err == errBusy && !ok", "d > time.Minute",
}

// statement writes one, and says whether another may follow.
func (p *program) statement(depth int) bool {
	if depth <= 0 {
		p.text.WriteString(calls[p.choice(len(calls))])
		return false
	}
	w := &p.text
	switch p.choice(27) {
	case 0:
		p.loop(depth, "for ")
	case 1:
		p.loop(depth, "for i := 0; i < n; i++ ")
	case 2:
		p.loop(depth, "for range 3 ")
	case 3:
		p.loop(depth, "for n, c = range items(c, c.next) ")
	case 4:
		p.loop(depth, "for n = range c.retries ")
	case 5:
		p.loop(depth, "for err = op(ctx); err != nil; err = op(ctx) ")
	case 6:
		w.WriteString("if " + conditions[p.choice(len(conditions))] + " ")
		p.body(depth)
	case 7:
		w.WriteString("if " + conditions[p.choice(len(conditions))] + " {\n")
		p.block(depth - 1)
		w.WriteString("} else ")
		p.body(depth)
	case 8:
		w.WriteString(calls[p.choice(len(calls))])
	case 9:
		w.WriteString(waits[p.choice(len(waits))])
	case 10:
		p.inLoop++ // break leaves the select; continue is written only in loops
		w.WriteString("select {\ncase <-ctx.Done():\nerr = ctx.Err()\ncase err = <-ch:\n")
		p.block(depth - 1)
		w.WriteString("case <-time.After(d):\n")
		p.block(depth - 1)
		w.WriteString("}\n")
		p.inLoop--
	case 11:
		w.WriteString("switch {\ncase " + conditions[p.choice(len(conditions))] + ":\n")
		p.block(depth - 1)
		w.WriteString("fallthrough\ndefault:\n")
		p.block(depth - 1)
		w.WriteString("}\n")
	case 12:
		w.WriteString("switch e := err.(type) {\ncase nil:\ncase interface{ Temporary() bool }:\nok = e.Temporary()\ndefault:\n")
		p.block(depth - 1)
		w.WriteString("}\n")
	case 13:
		w.WriteString("defer func() {\n")
		p.function(depth, false)
		w.WriteString("}()\n")
	case 14:
		w.WriteString("go func(ctx context.Context) {\n")
		p.function(depth, false)
		w.WriteString("_ = ctx\n}(ctx)\n")
	case 15:
		w.WriteString("op = func(ctx context.Context) (err error) {\n")
		p.function(depth, true)
		w.WriteString("return op(ctx)\n}\n")
	case 16:
		w.WriteString("{\nctx, cancel := context.WithTimeout(ctx, d)\n")
		p.block(depth - 1)
		w.WriteString("_ = ctx\ncancel()\n}\n")
	case 17:
		if len(p.loops) > 0 {
			label := p.loops[p.choice(len(p.loops))]
			fmt.Fprintf(w, "if !ok {\n%s L%d\n}\n", []string{"continue", "break"}[p.choice(2)], label)
		}
	case 18:
		if p.inLoop > 0 {
			w.WriteString("if " + conditions[p.choice(len(conditions))] + " {\nbreak\n}\n")
		}
	case 19:
		w.WriteString("if " + conditions[p.choice(len(conditions))] + " {\npanic(err)\n}\n")
	case 20:
		w.WriteString("err = fmt.Errorf(\"attempt %d: %v\", n, err)\n")
	case 21:
		w.WriteString("{\nerr := op(ctx)\n_ = err\n")
		p.block(depth - 1)
		w.WriteString("}\n")
	case 22:
		w.WriteString("func() {\ndefer func() { _ = recover() }()\n")
		p.function(depth, false)
		w.WriteString("}()\n")
	case 23:
		w.WriteString("{\nvar one, other func(int) error\none = func(n int) (err error) {\n")
		p.function(depth, true)
		w.WriteString("if n > 0 {\nreturn " + []string{"one", "other"}[p.choice(2)] + "(n - 1)\n}\nreturn err\n}\nother = func(n int) (err error) {\n")
		p.function(depth, true)
		w.WriteString("return one(n)\n}\n_ = other\nerr = " + []string{"one", "other"}[p.choice(2)] + "(n)\n}\n")
	case 24:
		if p.fails {
			w.WriteString("{\nonce := func(err error) error {\n")
			p.function(depth, true)
			w.WriteString("return f0(ctx, c, op, n-1, d)\n}\nif " + conditions[p.choice(len(conditions))] + " {\nreturn once(err)\n}\n}\n")
		}
	case 25:
		if p.fails {
			w.WriteString("if " + conditions[p.choice(len(conditions))] + " {\nreturn f0(ctx, c, op, n-1, d)\n}\n")
		}
	default:
		return false
	}
	return true
}
