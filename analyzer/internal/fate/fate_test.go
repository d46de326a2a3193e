package fate_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/analyzer/internal/fate"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// The packages that the loops below import, as little of them as is needed.
var imports = map[string]string{
	"net/http": "package http\ntype Response struct{ StatusCode int }\nconst StatusServiceUnavailable = 503",
	"errors":   "package errors\nfunc Is(err, target error) bool { return false }\nfunc New(text string) error { return nil }",
}

type importer struct{ fset *token.FileSet }

func (i importer) Import(path string) (*types.Package, error) {
	source, ok := imports[path]
	if !ok {
		return nil, fmt.Errorf("no source for %s", path)
	}
	file, err := parser.ParseFile(i.fset, path+".go", source, 0)
	if err != nil {
		return nil, err
	}
	return (&types.Config{}).Check(path, i.fset, []*ast.File{file}, nil)
}

// site is the retry of send in a loop with the given body.
func site(t *testing.T, header, body string) (*types.Info, *retrysite.Site) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "loop.go", `package loop

import (
	"errors"
	"net/http"
)

var errGone = errors.New("gone")

func send() (*http.Response, error) { return nil, nil }

func ask(int) bool { return false }

func other() (int, error) { return 0, nil }

func transient(*http.Response) bool { return false }

func retry(n int) error {
	_ = errors.Is(nil, errGone)
	`+header+` {
		resp, err := send()
		_, _ = resp, err
		`+body+`
	}
	return nil
}
`, 0)
	require.NoError(t, err)
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}
	_, err = (&types.Config{Importer: importer{fset}}).Check("loop", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	s := &retrysite.Site{Kind: retrysite.KindLoop}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if s.Node == nil {
				s.Node, s.Body = n, n.Body
			}
		case *ast.AssignStmt:
			call, ok := n.Rhs[0].(*ast.CallExpr)
			if ok && s.Ops == nil && s.Body != nil {
				op := &retrysite.Operation{Call: call}
				for _, l := range n.Lhs {
					v, _ := info.ObjectOf(l.(*ast.Ident)).(*types.Var)
					op.Results = append(op.Results, v)
				}
				s.Ops = []*retrysite.Operation{op}
			}
		}
		return true
	})
	require.NotNil(t, s.Body)
	require.Len(t, s.Ops, 1)
	return info, s
}

func TestOfStatus(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		header, body string
		status       int
		want         fate.Fate
	}{
		"only success leaves":                   {"for", "if err == nil && resp.StatusCode == 200 { return nil }", 404, fate.Back},
		"success":                               {"for", "if err == nil && resp.StatusCode == 200 { return nil }", 200, fate.Leaves},
		"every answer leaves":                   {"for", "if err == nil { return nil }", 500, fate.Leaves},
		"a bound is taken both ways":            {"for i := 0; i < n; i++", "if err == nil && resp.StatusCode < 300 { return nil }", 400, fate.Back},
		"a range of statuses leaves":            {"for", "if err == nil && resp.StatusCode/100 == 4 { return nil }", 404, fate.Leaves},
		"a range of statuses comes back":        {"for", "if err == nil && resp.StatusCode/100 == 4 { return nil }", 503, fate.Back},
		"a constant of the package":             {"for", "if err == nil && resp.StatusCode == http.StatusServiceUnavailable { continue }\nreturn err", 503, fate.Back},
		"a switch leaves":                       {"for", "switch { case err != nil: continue; case resp.StatusCode < 500: return nil }", 404, fate.Leaves},
		"a switch comes back":                   {"for", "switch resp.StatusCode { case 200, 201: return nil; case 404: continue; default: return err }", 404, fate.Back},
		"a switch goes to its default":          {"for", "switch resp.StatusCode { case 200, 201: return nil; case 404: continue; default: return err }", 410, fate.Leaves},
		"a variable keeps the decision":         {"for", "again := err != nil || resp.StatusCode == 503\nif !again { return err }", 404, fate.Leaves},
		"a predicate that can't be followed":    {"for", "if !transient(resp) { return err }", 404, fate.Unknown},
		"a predicate on something else":         {"for", "if ask(n) { return err }", 404, fate.Back},
		"the loop's own condition ends it":      {"for again := true; again;", "again = err != nil || resp.StatusCode >= 500", 404, fate.Leaves},
		"the loop's own condition goes on":      {"for again := true; again;", "again = err != nil || resp.StatusCode >= 500", 502, fate.Back},
		"a break leaves the loop":               {"for", "if err == nil { break }", 200, fate.Leaves},
		"a break of a switch stays in the loop": {"for", "switch { case err == nil: break }", 200, fate.Back},
		"a panic":                               {"for", "if resp.StatusCode == 400 { panic(err) }", 400, fate.Leaves},
		"both ways of a predicate come back":    {"for", "if transient(resp) { continue }\nask(n)", 404, fate.Back},
		"both ways of a predicate leave":        {"for", "if transient(resp) { return err }\nreturn nil", 404, fate.Leaves},
		"a predicate after one that is known":   {"for", "if resp.StatusCode == 404 { continue }\nif transient(resp) { return err }", 404, fate.Back},
		"what is overwritten is not kept":       {"for", "_, err = other()\nif err != nil { return err }", 500, fate.Back},
		"errors.Is of nil":                      {"for", "if errors.Is(err, errGone) { return err }", 500, fate.Back},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info, s := site(t, tt.header, tt.body)
			assert.Equal(t, tt.want.String(), fate.OfStatus(info, s, s.Op(), tt.status).String())
		})
	}
}

func TestOfError(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body string
		want fate.Fate
	}{
		"every error comes back":    {"if err == nil { return nil }", fate.Back},
		"an error leaves":           {"if err != nil { return err }", fate.Leaves},
		"no response":               {"if resp == nil { continue }\nreturn nil", fate.Back},
		"what the error is decides": {"if errors.Is(err, errGone) { return err }", fate.Unknown},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info, s := site(t, "for", tt.body)
			assert.Equal(t, tt.want.String(), fate.OfError(info, s).String())
		})
	}
}

func TestNothingIsKnownOfWrappers(t *testing.T) {
	t.Parallel()
	info, s := site(t, "for", "if err == nil { return nil }")
	s.Kind = retrysite.KindWrapper
	assert.Equal(t, fate.Unknown, fate.OfError(info, s))
	s.Kind, s.Ops[0].Results = retrysite.KindLoop, nil
	assert.Equal(t, fate.Unknown, fate.OfError(info, s), "without a response")
}
