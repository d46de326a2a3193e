package migrate

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/checkdoc"
	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
	"github.com/retrykit/retrykit/analyzer/internal/suppress"
)

//go:embed doc.go
var source string

// Analyzer offers to replace plain retry loops by otelretry; see the package
// documentation.
var Analyzer = &analysis.Analyzer{
	Name:     "migrate",
	Doc:      checkdoc.Text(source),
	URL:      report.URL("migrate"),
	Requires: []*analysis.Analyzer{retrysite.Analyzer, suppress.Analyzer},
	Run:      suppress.Check(run),
}

func run(pass *analysis.Pass) (any, error) {
	sites := pass.ResultOf[retrysite.Analyzer].(*retrysite.Result)
	taken := make(map[string]bool) // names of operations that fixes of this package declare
	for _, s := range sites.Sites {
		loop, ok := recognise(pass, s)
		if !ok {
			continue
		}
		fix := loop.rewrite(pass, taken)
		if fix == nil {
			continue
		}
		report.Site(pass, s, s.Pos(), s.Op().Call.End(), fmt.Sprintf(
			"retries %s by hand, %d attempts in all, which nothing measures; an otelretry operation does the same and tells what it costs",
			s.Op().Name, loop.attempts), fix)
	}
	return nil, nil
}

// A loop is a retry of the shape that is understood:
//
//	for <counter> {
//		if [value,] err = call(ctx, ...); err == nil {	// or the assignment, and then the if
//			return [value,] nil
//		}
//		<wait>
//	}
//	return [value or zero,] err
type loop struct {
	site     *retrysite.Site
	fn       *ast.FuncDecl
	stmt     ast.Stmt
	final    *ast.ReturnStmt
	call     *ast.CallExpr
	context  *ast.Ident
	wait     ast.Expr // nil for none
	attempts int64
	value    types.Type // of the result beside the error; nil if there is none
}

func recognise(pass *analysis.Pass, s *retrysite.Site) (*loop, bool) {
	l := &loop{site: s, fn: s.Func.Decl, attempts: s.Attempts.Max}
	switch {
	case s.Kind != retrysite.KindLoop, s.Attempts.Kind != retrysite.BoundConst, l.attempts < 1, l.fn == nil, len(s.Ops) != 1, s.Inspected():
		return nil, false
	}
	var body *ast.BlockStmt
	var counter *ast.Ident
	switch stmt := s.Node.(type) {
	case *ast.ForStmt:
		l.stmt, body = stmt, stmt.Body
		if init, ok := stmt.Init.(*ast.AssignStmt); ok && len(init.Lhs) == 1 {
			counter, _ = init.Lhs[0].(*ast.Ident)
		}
		if counter == nil {
			return nil, false
		}
	case *ast.RangeStmt:
		l.stmt, body = stmt, stmt.Body
		counter, _ = stmt.Key.(*ast.Ident)
	default:
		return nil, false
	}
	if counter != nil && names(body, counter.Name) {
		return nil, false
	}
	if !l.last(body) || !l.results(pass) {
		return nil, false
	}
	return l, l.attempt(pass, body)
}

// last says whether the loop and the return of the error are the function's
// last two statements.
func (l *loop) last(body *ast.BlockStmt) bool {
	list := l.fn.Body.List
	if len(list) < 2 || list[len(list)-2] != l.stmt {
		return false
	}
	final, ok := list[len(list)-1].(*ast.ReturnStmt)
	l.final = final
	return ok && len(body.List) > 0
}

// results reads the function's results: an error, with a value before it or
// without.
func (l *loop) results(pass *analysis.Pass) bool {
	fn, ok := pass.TypesInfo.Defs[l.fn.Name].(*types.Func)
	if !ok {
		return false
	}
	results := fn.Signature().Results()
	if n := results.Len(); n == 0 || n > 2 || results.At(n-1).Type() != types.Universe.Lookup("error").Type() {
		return false
	}
	if results.Len() == 2 {
		l.value = results.At(0).Type()
	}
	return true
}

// attempt reads the body: the call, its success, the wait.
func (l *loop) attempt(pass *analysis.Pass, body *ast.BlockStmt) bool {
	list := body.List
	check, ok := list[0].(*ast.IfStmt)
	var assign ast.Stmt
	if ok {
		assign = check.Init
	} else if len(list) > 1 {
		assign = list[0]
		check, ok = list[1].(*ast.IfStmt)
		list = list[1:]
		ok = ok && check.Init == nil
	}
	if !ok || check.Else != nil || len(check.Body.List) != 1 {
		return false
	}
	set, ok := assign.(*ast.AssignStmt)
	want := 1
	if l.value != nil {
		want = 2
	}
	if !ok || len(set.Rhs) != 1 || len(set.Lhs) != want || set.Rhs[0] != l.site.Op().Call {
		return false
	}
	l.call = l.site.Op().Call
	errName, ok := set.Lhs[want-1].(*ast.Ident)
	if !ok || !comparesWithNil(check.Cond, errName.Name) || !l.returns(pass.TypesInfo, check.Body.List[0], set, errName) {
		return false
	}
	return l.takesContext(pass) && l.waits(pass, list[1:])
}

// returns says whether success returns the value and nil, and the end of the
// loop the error, as it is: the very variables that the call sets.
func (l *loop) returns(info *types.Info, success ast.Stmt, set *ast.AssignStmt, errName *ast.Ident) bool {
	same := func(e ast.Expr, variable *ast.Ident) bool {
		id, ok := e.(*ast.Ident)
		return ok && info.ObjectOf(id) == info.ObjectOf(variable)
	}
	ret, ok := success.(*ast.ReturnStmt)
	if !ok || len(ret.Results) != len(set.Lhs) || len(l.final.Results) != len(set.Lhs) {
		return false
	}
	n := len(set.Lhs) - 1
	if !isName(ret.Results[n], "nil") && !same(ret.Results[n], errName) || !same(l.final.Results[n], errName) {
		return false
	}
	if n == 1 {
		value, ok := set.Lhs[0].(*ast.Ident)
		return ok && same(ret.Results[0], value) && (same(l.final.Results[0], value) || isZero(l.final.Results[0]))
	}
	return true
}

// takesContext says whether the call is given a variable of the function that
// holds a context, and nothing that is not the same in a closure.
func (l *loop) takesContext(pass *analysis.Pass) bool {
	if len(l.call.Args) == 0 || l.call.Ellipsis.IsValid() {
		return false
	}
	id, ok := l.call.Args[0].(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Type().String() != "context.Context" {
		return false
	}
	l.context = id
	return true
}

// waits reads what follows the check of the error.
func (l *loop) waits(pass *analysis.Pass, rest []ast.Stmt) bool {
	switch {
	case len(rest) == 0:
		return len(l.site.Waits) == 0 && !l.site.WaitUnknown
	case len(rest) > 1 || len(l.site.Waits) != 1:
		return false
	}
	w := l.site.Waits[0]
	if !w.HasConst || w.Const <= 0 || w.Duration == nil || pass.TypesInfo.Types[w.Duration].Value == nil {
		return false
	}
	l.wait = w.Duration
	switch stmt := rest[0].(type) {
	case *ast.ExprStmt:
		return w.How == retrysite.WaitSleep && stmt.X == w.Node
	case *ast.SelectStmt:
		return ast.Node(stmt) == w.Node && w.Interruptible && l.cancels(stmt)
	}
	return false
}

// cancels says whether the case of the select that ends the wait early returns
// the context's error: then otelretry's error is one that errors.Is knows as
// well.
func (l *loop) cancels(sel *ast.SelectStmt) bool {
	if len(sel.Body.List) != 2 {
		return false
	}
	returned := 0
	for _, c := range sel.Body.List {
		body := c.(*ast.CommClause).Body
		if len(body) == 0 {
			continue
		}
		ret, ok := body[0].(*ast.ReturnStmt)
		if !ok || len(body) != 1 || len(ret.Results) == 0 {
			return false
		}
		call, ok := ret.Results[len(ret.Results)-1].(*ast.CallExpr)
		if !ok {
			return false
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || fun.Sel.Name != "Err" || !isName(fun.X, l.context.Name) || len(ret.Results) == 2 && !isZero(ret.Results[0]) {
			return false
		}
		returned++
	}
	return returned == 1
}

func comparesWithNil(cond ast.Expr, name string) bool {
	bin, ok := cond.(*ast.BinaryExpr)
	return ok && bin.Op == token.EQL && isName(bin.X, name) && isName(bin.Y, "nil")
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// isZero says whether an expression is plainly a zero value.
func isZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""`
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// names says whether a name occurs below a node.
func names(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return true
	})
	return found
}
