package retryafter

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/retrykit/retrykit/analyzer/internal/report"
	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// uncapped reports a wait of a site that is as long as the header says, with
// nothing on the way from the one to the other that could be a cap. One that ends
// with a context which has a deadline has its cap there.
func uncapped(pass *analysis.Pass, sites *retrysite.Result, s *retrysite.Site, told map[*ast.FuncDecl]bool) {
	for _, w := range s.Waits {
		if w.Interruptible && s.Context.Bounded {
			continue
		}
		fn, d := w.Asked(s.Func)
		decl := fn.Declaration()
		if d == nil || decl == nil {
			continue
		}
		t := &trace{info: pass.TypesInfo, sites: sites, reads: make(map[*ast.FuncDecl]bool)}
		fl := t.flow(decl, nil, maxDepth)
		fl.wait = w.Node
		if !fl.carries(d) || fl.capped() || t.lost {
			continue
		}
		for read := range t.reads {
			if told[read] {
				return // with what was said of how it is read
			}
		}
		report.Site(pass, s, w.Pos(), w.Node.End(), "waits for as long as Retry-After says, without a cap, so that one answer can stop this for a day; cap it: min(wait, time.Minute)", nil)
		return
	}
}

// trace follows the header's value through the functions of a package.
type trace struct {
	info  *types.Info
	sites *retrysite.Result
	reads map[*ast.FuncDecl]bool // the functions that read the header
	lost  bool                   // the value went where it can't be followed
}

// flow is what a function does with the header's value.
type flow struct {
	*trace
	decl  *ast.FuncDecl
	depth int
	vars  map[types.Object]bool // that hold it, or what was made of it
	wait  ast.Node              // what waits
}

// maxRounds bounds how often a function's assignments are gone through.
const maxRounds = 8

// flow follows the value through a function, which has it in the parameters
// given from the beginning.
func (t *trace) flow(decl *ast.FuncDecl, given []types.Object, depth int) *flow {
	f := &flow{trace: t, decl: decl, depth: depth, vars: make(map[types.Object]bool)}
	for _, p := range given {
		f.vars[p] = true
	}
	for range maxRounds {
		before := len(f.vars)
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				f.assign(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(n.Names))
				for i, name := range n.Names {
					names[i] = name
				}
				f.assign(names, n.Values)
			}
			return true
		})
		if len(f.vars) == before {
			break
		}
	}
	return f
}

func (f *flow) assign(to, from []ast.Expr) {
	for i, left := range to {
		right := from
		if len(from) == len(to) {
			right = from[i : i+1]
		}
		if len(right) != 1 || !f.carries(right[0]) || !holds(f.info.TypeOf(left)) {
			continue
		}
		if o := f.object(left); o != nil {
			f.vars[o] = true
		}
	}
}

func (f *flow) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return f.info.ObjectOf(e.Sel)
	}
	return nil
}

// holds reports whether a type can be that of the header's value or of what is
// made of it: a text, a number, a duration or a time.
func holds(t types.Type) bool {
	if t == nil {
		return false
	}
	if t.String() == "time.Time" {
		return true
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsNumeric) != 0
}

// carries reports whether an expression is made of the header's value.
func (f *flow) carries(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		o := f.object(e)
		return o != nil && f.vars[o]
	case *ast.UnaryExpr:
		return f.carries(e.X)
	case *ast.BinaryExpr:
		return holds(f.info.TypeOf(e)) && (f.carries(e.X) || f.carries(e.Y))
	case *ast.IndexExpr:
		return f.readBy(e.X, e.Index) || f.carries(e.X)
	case *ast.CallExpr:
		return f.callCarries(e)
	}
	return false
}

// readBy reports whether x is a header and name that of Retry-After, and notes
// that the function reads it.
func (f *flow) readBy(x, name ast.Expr) bool {
	t := f.info.TypeOf(x)
	if t == nil || t.String() != "net/http.Header" || !isHeader(f.info, name) {
		return false
	}
	f.reads[f.decl] = true
	return true
}

func (f *flow) callCarries(call *ast.CallExpr) bool {
	some := slices.ContainsFunc(call.Args, f.carries)
	if tv := f.info.Types[call.Fun]; tv.IsType() {
		return some
	}
	if tv := f.info.Types[call.Fun]; tv.IsBuiltin() {
		return some && isNamed(call, "max")
	}
	callee := typeutil.StaticCallee(f.info, call)
	if callee == nil {
		return false
	}
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch pkg := callee.Pkg(); {
	case pkg == nil:
		return false
	case callee.FullName() == "(net/http.Header).Get", callee.FullName() == "(net/http.Header).Values":
		return len(call.Args) == 1 && f.readBy(sel.X, call.Args[0])
	case keeps(callee.FullName()):
		return some || isMethod && f.carries(sel.X)
	}
	inner := f.inside(call, callee)
	return inner != nil && inner.gives()
}

// keeps reports whether what a function of the standard library returns is as
// large as what it is given.
func keeps(name string) bool {
	switch name {
	case "time.Until", "(time.Time).Sub", "(time.Time).UTC", "(time.Time).Local", "time.Parse", "time.ParseDuration", "net/http.ParseTime",
		"strconv.Atoi", "strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat", "math.Max", "math.Ceil", "math.Round", "(time.Duration).Round":
		return true
	}
	return strings.HasPrefix(name, "strings.Trim")
}

// isNamed reports whether a call is of a builtin of that name.
func isNamed(call *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == name
}

// inside follows the value into a function of the package that a call gives it
// to, or that may read the header itself; nil for any other.
func (f *flow) inside(call *ast.CallExpr, callee *types.Func) *flow {
	fn := f.sites.FuncOf(callee)
	if fn == nil || fn.Decl == nil || fn.Decl.Body == nil || f.depth == 0 || fn.Decl == f.decl {
		return nil
	}
	var given []types.Object
	params := callee.Signature().Params()
	for i, arg := range call.Args {
		if i < params.Len() && f.carries(arg) {
			given = append(given, params.At(i))
		}
	}
	return f.trace.flow(fn.Decl, given, f.depth-1)
}

// gives reports whether the function returns what is made of the value.
func (f *flow) gives() (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || slices.ContainsFunc(n.Results, func(e ast.Expr) bool { return holds(f.info.TypeOf(e)) && f.carries(e) })
			if len(n.Results) == 0 && f.decl.Type.Results != nil {
				for _, field := range f.decl.Type.Results.List {
					for _, name := range field.Names {
						found = found || f.vars[f.info.Defs[name]]
					}
				}
			}
		}
		return !found
	})
	if found && f.capped() {
		f.lost = true // so that the caller has it no longer than that
	}
	return found
}

// capped reports whether the function may put a cap on the value, or hands it
// to what may.
func (f *flow) capped() (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if f.takesLonger(n) {
				return false // the branch holds nothing but the assignment
			}
		case *ast.BinaryExpr:
			found = found || f.limits(n)
		case *ast.CallExpr:
			found = found || f.handedOut(n)
		}
		return !found
	})
	return found
}

// limits reports whether a comparison can be one with a cap: with anything but
// zero and one.
func (f *flow) limits(b *ast.BinaryExpr) bool {
	switch b.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	for _, side := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		if !f.carries(side[0]) {
			continue
		}
		v := f.info.Types[side[1]].Value
		if v == nil || v.Kind() != constant.Int || constant.Compare(v, token.GTR, constant.MakeInt64(1)) {
			return true
		}
	}
	return false
}

// takesLonger reports whether a branch takes the longer of two, which is no cap
// on either: if asked > wait { wait = asked }.
func (f *flow) takesLonger(branch *ast.IfStmt) bool {
	if branch.Else != nil || len(branch.Body.List) != 1 {
		return false
	}
	set, ok := branch.Body.List[0].(*ast.AssignStmt)
	if !ok || len(set.Rhs) != 1 || len(set.Lhs) != 1 {
		return false
	}
	longer := false
	ast.Inspect(branch.Cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return true
		}
		more, less := b.X, b.Y
		switch b.Op {
		case token.LSS, token.LEQ:
			more, less = less, more
		case token.GTR, token.GEQ:
		default:
			return true
		}
		longer = longer || types.ExprString(more) == types.ExprString(set.Rhs[0]) && types.ExprString(less) == types.ExprString(set.Lhs[0])
		return true
	})
	return longer
}

// handedOut reports whether a call gets the value and may do with it what can't
// be seen, or puts a cap on it.
func (f *flow) handedOut(call *ast.CallExpr) bool {
	if tv := f.info.Types[call.Fun]; tv.IsType() {
		return false
	}
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	gets := slices.ContainsFunc(call.Args, f.carries)
	if isMethod {
		if t := f.info.TypeOf(sel.X); t != nil && t.String() == "time.Time" && f.carries(sel.X) {
			gets = true
		}
	}
	if !gets {
		return false
	}
	if tv := f.info.Types[call.Fun]; tv.IsBuiltin() {
		return !isNamed(call, "max") && !isNamed(call, "len")
	}
	callee := typeutil.StaticCallee(f.info, call)
	if callee == nil || callee.Pkg() == nil {
		return true
	}
	switch name := callee.FullName(); {
	case keeps(name), shows(callee), f.waits(call, name):
		return false
	}
	inner := f.inside(call, callee)
	return inner == nil || inner.capped()
}

// shows reports whether a function only writes or formats what it is given.
func shows(fn *types.Func) bool {
	switch path := fn.Pkg().Path(); path {
	case "fmt", "log", "log/slog":
		return true
	}
	switch fn.FullName() {
	case "(time.Duration).String", "(time.Duration).Seconds", "(time.Time).IsZero", "(time.Time).Format":
		return true
	}
	return false
}

// waits reports whether a call is the wait, or one of the standard library's.
func (f *flow) waits(call *ast.CallExpr, name string) bool {
	switch name {
	case "time.Sleep", "time.After", "time.NewTimer", "(*time.Timer).Reset":
		return true
	}
	return ast.Node(call) == f.wait && f.sites.FuncOf(typeutil.StaticCallee(f.info, call)) == nil
}
