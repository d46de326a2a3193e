package opcardinality

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/known"
)

// search looks for values without a small bound in what makes up a name.
type search struct {
	pass *analysis.Pass
	body *ast.BlockStmt // of the function at hand
}

// maxDepth bounds how far a name is followed through variables and calls.
const maxDepth = 6

// unbounded gives the part of a name that has no small bound, as source text;
// "" when none is known.
func (s search) unbounded(e ast.Expr, depth int) string {
	e = ast.Unparen(e)
	if tv, ok := s.pass.TypesInfo.Types[e]; depth > maxDepth || !ok || tv.Value != nil {
		return ""
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return s.first(depth, e.X, e.Y)
		}
	case *ast.Ident:
		if value := s.single(e); value != nil {
			return s.unbounded(value, depth+1)
		}
		if identifier(e.Name) && s.varying(e) {
			return e.Name
		}
	case *ast.SelectorExpr:
		if s.isURLPart(e) || identifier(e.Sel.Name) && s.varying(e) {
			return types.ExprString(e)
		}
	case *ast.IndexExpr:
		return ""
	case *ast.CallExpr:
		return s.call(e, depth)
	}
	return ""
}

func (s search) first(depth int, parts ...ast.Expr) string {
	for _, part := range parts {
		if found := s.unbounded(part, depth+1); found != "" {
			return found
		}
	}
	return ""
}

// call looks into the calls that names are made of.
func (s search) call(call *ast.CallExpr, depth int) string {
	if tv := s.pass.TypesInfo.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 { // a conversion
		return s.unbounded(call.Args[0], depth+1)
	}
	fn, ok := typeutil.Callee(s.pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil && fn.Name() != "Error" {
		return ""
	}
	if fn.Name() == "Error" && len(call.Args) == 0 {
		return "the text of an error"
	}
	if known.MakesID(fn) {
		return "a generated id"
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		if len(call.Args) > 1 {
			return s.first(depth, call.Args[1:]...)
		}
	case "fmt.Sprint", "strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "strings.Trim", "strings.TrimPrefix", "strings.TrimSuffix",
		"strings.TrimLeft", "strings.TrimRight", "strings.Replace", "strings.ReplaceAll", "path.Join", "path.Clean", "path.Base":
		return s.first(depth, call.Args...)
	case "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint":
		if s.pass.TypesInfo.Types[call.Args[0]].Value == nil {
			return types.ExprString(call.Args[0])
		}
	case "(*net/url.URL).String", "(*net/url.URL).EscapedPath", "(*net/url.URL).RequestURI", "(*net/url.URL).Redacted":
		return types.ExprString(call)
	}
	return ""
}

// isURLPart reports whether a field is a part of a URL or request that every
// caller can choose.
func (s search) isURLPart(e *ast.SelectorExpr) bool {
	field, ok := s.pass.TypesInfo.Uses[e.Sel].(*types.Var)
	if !ok || !field.IsField() || field.Pkg() == nil {
		return false
	}
	switch field.Pkg().Path() + "." + field.Name() {
	case "net/url.Path", "net/url.RawPath", "net/url.RawQuery", "net/url.Opaque", "net/url.Fragment",
		"net/http.RequestURI", "net/http.RemoteAddr":
		return true
	}
	return false
}

// single is the only value that a local variable is ever given.
func (s search) single(id *ast.Ident) (value ast.Expr) {
	v, ok := s.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || s.body == nil || v.Pos() < s.body.Pos() || v.Pos() >= s.body.End() {
		return nil
	}
	times := 0
	ast.Inspect(s.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				target, ok := left.(*ast.Ident)
				if !ok || s.pass.TypesInfo.ObjectOf(target) != v {
					continue
				}
				times++
				if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					value = n.Rhs[i]
				} else {
					value, times = nil, 2
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if s.pass.TypesInfo.Defs[name] == v && i < len(n.Values) {
					times++
					value = n.Values[i]
				}
			}
		}
		return true
	})
	if times != 1 {
		return nil
	}
	return value
}

// varying reports whether an expression is a string or number that a variable
// or field holds.
func (s search) varying(e ast.Expr) bool {
	basic, ok := s.pass.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsString|types.IsInteger) != 0
}

// identifier reports whether a name is one that identifiers have: its last
// word says so.
func identifier(name string) bool {
	last := name
	for i := len(name) - 1; i > 0; i-- {
		if name[i] >= 'A' && name[i] <= 'Z' && (name[i-1] < 'A' || name[i-1] > 'Z') || name[i-1] == '_' {
			last = name[i:]
			break
		}
	}
	switch strings.ToLower(last) {
	case "id", "uid", "uuid", "guid", "ulid", "key", "token", "email", "url", "uri", "path":
		return true
	}
	return false
}
