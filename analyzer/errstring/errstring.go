package errstring

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer reports retries that are decided by the text of an error. See the
// package documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "errstring",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("errstring"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	var said *retrysite.TextDecision
	for _, d := range pass.ResultOf[retrysite.Analyzer].(*retrysite.Result).TextDecisions {
		if typedFirst(pass, d.Match) || onlyText(d.Pattern) || said != nil && oneCondition(said, d) {
			continue
		}
		said = d
		diag := analysis.Diagnostic{
			Pos: d.Match.Pos(), End: d.Match.End(), Category: pass.Analyzer.Name,
			Message: fmt.Sprintf("whether to retry is decided by the text of %s%s, which changes without notice; %s",
				d.Err, quoted(d.Pattern), instead(d.Pattern)),
		}
		if d.Site != nil {
			diag.Related = append(diag.Related, analysis.RelatedInformation{Pos: d.Site.Op().Pos(), Message: "the operation that is retried"})
		}
		pass.Report(diag)
	}
	return nil, nil
}

// oneCondition says whether two looks at the same error's text are parts of one
// condition, which is one fault.
func oneCondition(a, b *retrysite.TextDecision) (found bool) {
	if a.Func != b.Func || a.Err != b.Err {
		return false
	}
	ast.Inspect(a.Func.Body(), func(n ast.Node) bool {
		if x, ok := n.(*ast.BinaryExpr); ok && x.Pos() <= a.Match.Pos() && b.Match.End() <= x.End() {
			found = true
		}
		return !found
	})
	return found
}

// typedFirst says whether the function asks for several types of errors before
// it looks at text, which is then for what has none: a protocol in plain text.
func typedFirst(pass *analysis.Pass, match ast.Node) bool {
	asked := 0
	for _, file := range pass.Files {
		if match.Pos() < file.FileStart || match.Pos() > file.FileEnd {
			continue
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || match.Pos() < fn.Pos() || match.Pos() > fn.End() {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				branch, ok := n.(*ast.IfStmt)
				if ok && branch.End() < match.Pos() && asksForType(pass, branch.Cond) {
					asked++
				}
				return true
			})
		}
	}
	return asked >= 2
}

// asksForType says whether a condition is errors.As, or a function of another
// package that is asked what an error is: proto.IsLoadingError(err).
func asksForType(pass *analysis.Pass, cond ast.Expr) bool {
	call, ok := ast.Unparen(cond).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg() == pass.Pkg {
		return false
	}
	if fn.Pkg().Path() == "errors" {
		return fn.Name() == "As" || fn.Name() == "AsType"
	}
	t := pass.TypesInfo.TypeOf(call.Args[0])
	return strings.HasPrefix(fn.Name(), "Is") && t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// onlyText says whether a text is one of those by which net/http, and nothing
// else, tells some of its permanent errors: they have no sentinel and no type.
func onlyText(pattern string) bool {
	return slices.ContainsFunc([]string{"redirects", "unsupported protocol scheme", "invalid header", "certificate is not trusted", "no Host in request URL"}, func(text string) bool {
		return strings.Contains(pattern, text)
	})
}

func quoted(pattern string) string {
	if pattern == "" || len(pattern) > 60 || strings.ContainsAny(pattern, "\n\r") {
		return ""
	}
	return fmt.Sprintf(" (%q)", pattern)
}

// known maps texts of well-known failures to what identifies them. The first
// entry whose text is contained, without regard to case, is taken.
var known = []struct{ text, use string }{
	{"connection refused", "errors.Is(err, syscall.ECONNREFUSED)"},
	{"connection reset", "errors.Is(err, syscall.ECONNRESET)"},
	{"broken pipe", "errors.Is(err, syscall.EPIPE)"},
	{"address already in use", "errors.Is(err, syscall.EADDRINUSE)"},
	{"no route to host", "errors.Is(err, syscall.EHOSTUNREACH)"},
	{"network is unreachable", "errors.Is(err, syscall.ENETUNREACH)"},
	{"use of closed network connection", "errors.Is(err, net.ErrClosed)"},
	{"no such host", "errors.As with *net.DNSError and its IsNotFound"},
	{"context canceled", "errors.Is(err, context.Canceled)"},
	{"context deadline exceeded", "errors.Is(err, context.DeadlineExceeded)"},
	{"i/o timeout", "errors.As with net.Error and its Timeout"},
	{"tls handshake timeout", "errors.As with net.Error and its Timeout"},
	{"timeout", "errors.As with net.Error and its Timeout"},
	{"timed out", "errors.As with net.Error and its Timeout"},
	{"unexpected eof", "errors.Is(err, io.ErrUnexpectedEOF)"},
	{"eof", "errors.Is(err, io.EOF)"},
	{"no rows", "errors.Is(err, sql.ErrNoRows)"},
	{"bad connection", "errors.Is(err, driver.ErrBadConn)"},
	{"file exists", "errors.Is(err, fs.ErrExist)"},
	{"no such file", "errors.Is(err, fs.ErrNotExist)"},
	{"permission denied", "errors.Is(err, fs.ErrPermission)"},
	{"deadlock", "errors.As with the driver's error type and its SQLSTATE 40P01"},
	{"could not serialize", "errors.As with the driver's error type and its SQLSTATE 40001"},
	{"duplicate key", "errors.As with the driver's error type and its SQLSTATE 23505"},
	{"database is locked", "errors.As with the driver's error type and its code SQLITE_BUSY"},
	{"rpc error: code = ", "status.Code(err)"},
	{"too many requests", "the response's status code"},
	{"service unavailable", "the response's status code"},
}

func instead(pattern string) string {
	lower := strings.ToLower(pattern)
	for _, k := range known {
		if strings.Contains(lower, k.text) {
			return "use " + k.use
		}
	}
	return "use errors.Is or errors.As with the sentinel or type behind it"
}
