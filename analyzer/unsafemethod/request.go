package unsafemethod

import (
	"go/ast"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// methodOf is the method of the request that a call sends, when it is POST or
// PATCH for certain; else "".
func methodOf(info *types.Info, decl *ast.FuncDecl, call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return ""
	}
	switch fn.FullName() {
	case "net/http.Post", "net/http.PostForm", "(*net/http.Client).Post", "(*net/http.Client).PostForm":
		return "POST"
	case "(*net/http.Client).Do", "(*net/http.Transport).RoundTrip":
		if id, ok := ast.Unparen(call.Args[0]).(*ast.Ident); ok {
			return methodOfVariable(info, decl, info.Uses[id])
		}
	}
	return ""
}

// methodOfVariable is the method that the request in a variable is made with,
// wherever that is; "" where not all places agree.
func methodOfVariable(info *types.Info, decl *ast.FuncDecl, v types.Object) string {
	methods := make(map[string]bool)
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, left := range assign.Lhs {
			id, ok := left.(*ast.Ident)
			if !ok || v == nil || info.ObjectOf(id) != v || len(assign.Rhs) == 1 && sameRequest(info, assign.Rhs[0], v) {
				continue
			}
			method := ""
			if i == 0 && len(assign.Rhs) == 1 {
				method = methodOfMaker(info, assign.Rhs[0])
			}
			methods[method] = true
		}
		return true
	})
	if len(methods) != 1 {
		return ""
	}
	for method := range methods {
		return method
	}
	return ""
}

// sameRequest says whether an expression is the request in a variable with
// another context: req.WithContext(ctx), req.Clone(ctx).
func sameRequest(info *types.Info, e ast.Expr, v types.Object) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "WithContext" && sel.Sel.Name != "Clone" {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	return ok && info.ObjectOf(id) == v
}

func methodOfMaker(info *types.Info, e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := typeutil.StaticCallee(info, call)
	if fn == nil {
		return ""
	}
	at := 0
	switch fn.FullName() {
	case "net/http.NewRequest":
	case "net/http.NewRequestWithContext":
		at = 1
	default:
		return ""
	}
	tv := info.Types[call.Args[at]]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return ""
	}
	switch m := constant.StringVal(tv.Value); m {
	case "POST", "PATCH":
		return m
	}
	return ""
}

// keyed are the names of what lets a server know a request again, identifies
// those of headers that may, and reading those of requests that do no harm when
// they are repeated.
var (
	keyed      = retrysite.Matcher(`(?i)idempot|request[-_]?id|client[-_]?token|nonce|dedup|transaction[-_]?id|correlation`)
	identifies = retrysite.Matcher(`(?i)[-_]id"?$`)
	reading    = retrysite.Matcher(`(?i)search|query|graphql|token|oauth|login|auth|lookup|list|get|find|fetch|read|check|valid|verify|count|ping|health|refresh|rpc`)
)

// excused reports whether something in a function says that its request may be
// repeated. What a message says and how a header is called say nothing of what
// the request does, but a header may hold the key.
func excused(info *types.Info, decl *ast.FuncDecl) (found bool) {
	if reading(decl.Name.Name) {
		return true
	}
	beside := make(map[ast.Expr]bool)
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fn := typeutil.StaticCallee(info, n)
			if fn == nil {
				fn, _ = typeutil.Callee(info, n).(*types.Func) // a logger that is an interface
			}
			if fn == nil || len(n.Args) == 0 || !besideRequest(fn) {
				break
			}
			for _, a := range n.Args {
				beside[ast.Unparen(a)] = true
			}
			if tv := info.Types[n.Args[0]]; fn.Pkg().Path() == "net/http" && tv.Value != nil {
				found = found || identifies(tv.Value.String())
			}
		case *ast.Ident:
			found = found || keyed(n.Name)
		case ast.Expr:
			tv := info.Types[n]
			if tv.Value != nil && tv.Value.Kind() == constant.String {
				text := constant.StringVal(tv.Value)
				found = found || keyed(text) || !beside[n] && reading(text) && len(text) < 200
			}
		}
		return !found
	})
	return found
}

// logs matches the names of methods that write a line to a log.
var logs = retrysite.Matcher(`^(Print|Log|Debug|Info|Warn|Error|Trace|Fatal)`)

// besideRequest says whether a function makes an error or a log line, or sets a
// header.
func besideRequest(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "fmt", "errors", "log", "log/slog", "github.com/pkg/errors":
		return fn.Name() != "Sprintf" && fn.Name() != "Sprint"
	}
	if fn.Signature().Recv() != nil && fn.Signature().Results().Len() == 0 && logs(fn.Name()) {
		return true
	}
	switch fn.FullName() {
	case "(net/http.Header).Set", "(net/http.Header).Add", "(net/http.Header).Get":
		return true
	}
	return false
}
