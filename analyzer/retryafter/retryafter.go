package retryafter

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/fate"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that don't wait for what the server asks; see the
// package documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "retryafter",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("retryafter"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	told := make(map[*ast.FuncDecl]bool)
	if importsHTTP(pass.Pkg) {
		for _, file := range retrysite.SearchedFiles(pass) {
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
					told[fn] = secondsOnly(pass, fn)
				}
			}
		}
		for _, s := range sites.Sites {
			uncapped(pass, sites, s, told)
		}
	}
	for _, s := range sites.Sites {
		for _, op := range s.Ops {
			if unread(pass, sites, s, op) {
				break
			}
		}
	}
	return nil, nil
}

// unread reports an operation that is made again after a status by which the other
// side asks for patience, where nobody reads for how long; and says whether it did.
func unread(pass *analysis.Pass, sites *retrysite.Result, s *retrysite.Site, op *retrysite.Operation) bool {
	status := throttling(pass.TypesInfo, s, op)
	if status == 0 || mayRead(pass, sites, s.Func.Declaration(), 0) || !fate.ByResponse(op) && calleeMayRead(pass, sites, op) {
		return false
	}
	harm := "spends the quota it waits for"
	if status == http.StatusServiceUnavailable {
		harm = "may ask again before the server is up"
	}
	report.Site(pass, s, op.Pos(), op.Call.End(), fmt.Sprintf(
		"retries %s after a %d without reading Retry-After, which %s; wait the longer of the header and the backoff, up to a cap", op.Name, status, harm), nil)
	return true
}

func importsHTTP(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == "net/http" {
			return true
		}
	}
	return false
}

// isHeader reports whether an expression is the header's name.
func isHeader(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.Kind() == constant.String && strings.EqualFold(constant.StringVal(tv.Value), "Retry-After")
}

// maxDepth bounds how far a response is followed into functions.
const maxDepth = 3

// mayRead reports whether a function names the header, or hands a response or
// its header to code that may.
func mayRead(pass *analysis.Pass, sites *retrysite.Result, fn *ast.FuncDecl, depth int) (found bool) {
	if fn == nil || fn.Body == nil || depth > maxDepth {
		return true
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if found {
			return false
		}
		if e, ok := n.(ast.Expr); ok && isHeader(pass.TypesInfo, e) {
			found = true
			return false
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && strings.Contains(sel.Sel.Name, "RetryAfter") {
			found = true // whoever made it has read the header
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || !hands(pass.TypesInfo, call, fn, depth) {
			return true
		}
		callee := typeutil.StaticCallee(pass.TypesInfo, call)
		inner := sites.FuncOf(callee)
		found = inner == nil || mayRead(pass, sites, inner.Decl, depth+1)
		return !found
	})
	return found
}

// calleeMayRead reports whether an operation that keeps the response to itself may
// read the header: one of another package can't be seen.
func calleeMayRead(pass *analysis.Pass, sites *retrysite.Result, op *retrysite.Operation) bool {
	if _, lit := ast.Unparen(op.Call.Fun).(*ast.FuncLit); lit {
		return false // it stands in the function that was asked
	}
	fn := sites.FuncOf(op.Callee)
	return fn == nil || keepsResponse(pass.TypesInfo, fn.Decl) || mayRead(pass, sites, fn.Decl, 1)
}

// keepsResponse reports whether a function puts a response, or its header, into
// something else, for somebody who may read it.
func keepsResponse(info *types.Info, fn *ast.FuncDecl) (found bool) {
	kept := func(e ast.Expr) {
		if t := info.TypeOf(e); t != nil {
			found = found || t.String() == "*net/http.Response" || t.String() == "net/http.Header"
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			kept(n.Value)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if _, field := ast.Unparen(l).(*ast.SelectorExpr); field {
					kept(l)
				}
			}
		}
		return !found
	})
	return found
}

// throttling is the status by which the other side asks for patience and which a
// site retries, 0 if there is none. One that retries all that went wrong has to
// name it.
func throttling(info *types.Info, s *retrysite.Site, op *retrysite.Operation) int {
	if s.Kind != retrysite.KindLoop {
		return 0
	}
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		if fate.OfStatus(info, s, op, status) == fate.Back && (fate.OfStatus(info, s, op, http.StatusInternalServerError) != fate.Back || names(info, s, op, status)) {
			return status
		}
	}
	return 0
}

// names reports whether a site says itself that a status is one of those that it
// means.
func names(info *types.Info, s *retrysite.Site, op *retrysite.Operation, status int) bool {
	if namedIn(info, s.Node, status) {
		return true
	}
	fn := s.Source(op.Callee)
	return fn != nil && fn.Body() != nil && namedIn(info, fn.Body(), status)
}

func namedIn(info *types.Info, n ast.Node, status int) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			found = found || isStatus(info, b.X, status) || isStatus(info, b.Y, status)
		}
		if list, ok := n.(*ast.CompositeLit); ok {
			found = found || slices.ContainsFunc(list.Elts, func(e ast.Expr) bool { return isStatus(info, e, status) })
		}
		if c, ok := n.(*ast.CaseClause); ok {
			found = found || slices.ContainsFunc(c.List, func(e ast.Expr) bool { return isStatus(info, e, status) })
		}
		return !found
	})
	return found
}

func isStatus(info *types.Info, e ast.Expr, status int) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.Kind() == constant.Int && constant.Compare(tv.Value, token.EQL, constant.MakeInt64(int64(status)))
}

// hands reports whether a call in fn gets a response, or its header, as an
// argument. The header that the function with the retry is given, at depth 0, is
// that of the request.
func hands(info *types.Info, call *ast.CallExpr, fn *ast.FuncDecl, depth int) bool {
	for _, arg := range call.Args {
		if id, ok := ast.Unparen(arg).(*ast.Ident); ok && depth == 0 && info.ObjectOf(id) != nil && info.TypeOf(arg).String() == "net/http.Header" {
			if pos := info.ObjectOf(id).Pos(); fn.Type.Params.Pos() <= pos && pos < fn.Type.Params.End() {
				continue
			}
		}
		if t := info.TypeOf(arg); t != nil {
			switch t.String() {
			case "*net/http.Response", "net/http.Header":
				return true
			}
		}
	}
	return false
}

// secondsOnly reports a function that reads the header as a number and not as
// a date, and says whether it did.
func secondsOnly(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	var read ast.Expr
	number, date, wait, handed := false, false, false, false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			return !accepted(pass.TypesInfo, n.List)
		case *ast.IfStmt:
			return !accepted(pass.TypesInfo, []ast.Expr{n.Cond})
		case *ast.CallExpr:
			callee := typeutil.StaticCallee(pass.TypesInfo, n)
			if callee == nil {
				return true
			}
			name := ""
			switch pkg := callee.Pkg(); {
			case pkg == nil:
				return true
			case pkg.Path() == "net/http", pkg.Path() == "strconv", pkg.Path() == "time":
				name = callee.FullName()
			}
			switch name {
			case "(net/http.Header).Get":
				if len(n.Args) == 1 && isHeader(pass.TypesInfo, n.Args[0]) && read == nil {
					read = n
				}
			case "strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat":
				number = true
			case "net/http.ParseTime", "time.Parse", "time.ParseDuration":
				date = true
			default:
				handed = handed || takesText(pass.TypesInfo, n)
			}
		case *ast.IndexExpr: // header["Retry-After"]
			if t := pass.TypesInfo.TypeOf(n.X); read == nil && isHeader(pass.TypesInfo, n.Index) && t != nil && t.String() == "net/http.Header" {
				read = n
			}
		case *ast.SelectorExpr:
			if obj := pass.TypesInfo.Uses[n.Sel]; obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "time" && obj.Name() == "Second" {
				wait = true
			}
		}
		return true
	})
	if read == nil || !number || date || !wait || handed {
		return false
	}
	pass.Report(analysis.Diagnostic{
		Pos: read.Pos(), End: read.End(), Category: pass.Analyzer.Name, URL: report.URL(pass.Analyzer.Name),
		Message: fn.Name.Name + " reads Retry-After as seconds only, so a date is waited for wrongly; parse it with http.ParseTime as well and cap the wait",
	})
	return true
}

// accepted reports whether conditions ask for a 202: the work has been begun and
// is looked at again, for which there is no failure to come back from.
func accepted(info *types.Info, conditions []ast.Expr) (found bool) {
	for _, cond := range conditions {
		ast.Inspect(cond, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				v := info.Types[e].Value
				found = found || v != nil && v.Kind() == constant.Int && v.ExactString() == "202"
			}
			return !found
		})
	}
	return found
}

// takesText reports whether a call gets the header's value, which it may read
// in the other form: the result of Get, directly.
func takesText(info *types.Info, call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if get, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
			if fn := typeutil.StaticCallee(info, get); fn != nil && fn.FullName() == "(net/http.Header).Get" && len(get.Args) == 1 && isHeader(info, get.Args[0]) {
				return true
			}
		}
	}
	return false
}
