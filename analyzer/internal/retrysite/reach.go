package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/known"
	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
	"github.com/retrykit/retrykit/internal/stdlib"
)

// remoteStd are the packages of the standard library whose calls leave the
// process; a call of any other package of it is local.
var remoteStd = map[string]bool{
	"net": true, "net/http": true, "net/rpc": true, "net/rpc/jsonrpc": true, "net/smtp": true, "net/textproto": true,
	"database/sql": true, "database/sql/driver": true, "net/http/httputil": true, "crypto/tls": true,
}

// localNames are functions of otherwise remote packages that stay in memory.
func localInRemote(fn *types.Func) bool {
	name := fn.Name()
	switch {
	case strings.HasPrefix(name, "Parse"), strings.HasPrefix(name, "New"), strings.HasPrefix(name, "Set"),
		strings.HasPrefix(name, "Join"), strings.HasPrefix(name, "Split"), name == "Close", name == "Error", name == "String",
		strings.HasPrefix(name, "Read") && fullName(fn) != "(net.Conn).Read", name == "Clone", name == "WithContext", name == "Unwrap", name == "Scan",
		strings.HasPrefix(name, "Accept"), strings.HasPrefix(name, "Listen") && fn.Pkg().Path() == "net", name == "FileListener",
		name == "X509KeyPair", name == "LoadX509KeyPair", name == "Write" && fn.Pkg().Path() != "net", name == "Cookie", name == "Cookies", name == "Hijack",
		strings.HasPrefix(name, "Interface") && fn.Pkg().Path() == "net":
		return true
	}
	return false
}

// maxDepth bounds how far calls are followed within the package.
const maxDepth = 6

// reach says how far a call goes. Within the package it looks into the callee;
// beyond, it goes by what the callee's package imports.
func (f *finder) reach(fn *Func, call *ast.CallExpr, depth int) Reach {
	if opensSocket(f.info.TypeOf(call)) {
		return ReachLocal // on this machine, whatever comes in by it later
	}
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.FuncLit:
		return f.reachBody(f.lits[e], depth+1)
	case *ast.IndexExpr:
		fun = ast.Unparen(e.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(e.X)
	}
	if callee := calleeOf(f.info, call); callee != nil {
		if run := f.runByLibrary(callee, call); run != nil {
			return f.reachBody(run, depth+1)
		}
		return f.reachFunc(callee, depth)
	}
	if roundTrips(f.info, call) {
		return ReachRemote
	}
	v, ok := objectOf(f.info, fun).(*types.Var)
	if !ok {
		return ReachUnknown
	}
	if v.IsField() || f.paramOf(fn, v) != nil || isPackageLevel(v) {
		return ReachParam
	}
	if lit := f.literalOf(fn, v); lit != nil {
		return f.reachBody(lit, depth+1)
	}
	return ReachUnknown
}

// runByLibrary is the function that a call of a retry library runs; nil if the
// call is no such, or what it runs is not known.
func (f *finder) runByLibrary(callee *types.Func, call *ast.CallExpr) *Func {
	if e := retrylib.Lookup(callee); e == nil || e.Kind != retrylib.KindClosure || f.libraryScope() == nil {
		return nil
	}
	c, ok := f.libs.Resolve(call)
	if !ok {
		return nil
	}
	return f.closureFunc(c.Func)
}

// roundTrips says whether a func value sends a request, by what it takes and
// gives: a request and a response.
func roundTrips(info *types.Info, call *ast.CallExpr) bool {
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() == 0 || sig.Results().Len() != 2 {
		return false
	}
	return sig.Results().At(0).Type().String() == "*net/http.Response" && sig.Params().At(sig.Params().Len()-1).Type().String() == "*net/http.Request"
}

// reachFunc is reach for a declared function or method.
func (f *finder) reachFunc(callee *types.Func, depth int) Reach {
	callee = callee.Origin()
	if callee.Pkg() == nil {
		return ReachUnknown
	}
	path := callee.Pkg().Path()
	if fn := f.res.funcs[callee]; fn != nil {
		return f.reachBody(fn, depth+1)
	}
	if stdlib.Contains("", path) && callee.Pkg() != f.pass.Pkg {
		if remoteStd[path] && !localInRemote(callee) {
			return ReachRemote
		}
		if recv := callee.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && path == "io" {
			return ReachUnknown
		}
		return ReachLocal
	}
	switch known.ReachOf(callee) {
	case known.ReachRemote:
		return ReachRemote
	case known.ReachLocal:
		return ReachLocal
	}
	if strings.HasPrefix(path, "golang.org/x/sync/") || strings.HasPrefix(path, "golang.org/x/time/") {
		return ReachLocal // locks and limiters
	}
	if strings.Contains(path, "netlink") {
		return ReachLocal // the kernel of the same machine
	}
	if recv := callee.Signature().Recv(); recv != nil {
		if n, ok := types.Unalias(deref(recv.Type())).(*types.Named); ok && n.Obj().Name() == "EventBus" {
			return ReachUnknown // of the same process, as a rule
		}
	}
	sig := callee.Signature()
	if listensForPackets(callee) {
		return ReachLocal
	}
	takesContext := false
	for p := range sig.Params().Variables() {
		takesContext = takesContext || isContext(p.Type())
	}
	if !takesContext && f.staysHere(callee) {
		return ReachUnknown
	}
	if f.networked(callee.Pkg()) {
		if takesContext || fails(sig) && !localName(callee.Name()) {
			return ReachRemote
		}
		return ReachUnknown
	}
	if takesContext && fails(sig) {
		return ReachRemote // by convention: what can be cancelled is worth cancelling
	}
	return ReachUnknown
}

// opensSocket says whether what a call gives is first of all a listener, for which
// it takes a port of the machine.
func opensSocket(result types.Type) bool {
	if tuple, ok := result.(*types.Tuple); ok && tuple.Len() > 0 {
		result = tuple.At(0).Type()
	}
	return result != nil && result.String() == "net.Listener"
}

// listensForPackets says whether a function, of whatever stands in for the network,
// takes a port of the machine for what comes in packets.
func listensForPackets(callee *types.Func) bool {
	results := callee.Signature().Results()
	return strings.HasPrefix(callee.Name(), "Listen") && results.Len() > 0 && results.At(0).Type().String() == "net.PacketConn"
}

// staysHere says whether a method of an interface of the package is one that
// all its implementations in the package do without leaving the process.
func (f *finder) staysHere(method *types.Func) bool {
	list := f.implementations(method)
	return len(list) > 0 && !slices.ContainsFunc(list, func(fn *Func) bool { return fn == nil || f.reachBody(fn, 1) != ReachLocal })
}

func localName(name string) bool {
	for _, p := range []string{"Parse", "New", "Marshal", "Unmarshal", "Encode", "Decode", "Validate", "Format", "Close", "With", "Must", "Register", "Set", "Errorf", "Wrap", "Convert", "To", "Is", "As", "Build", "Lock", "TryLock", "Err", "Error"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && resultIsError(sig.Results().At(n-1).Type())
}

// listensThere says whether a call is handed the variable with the address on
// which the function listens too: a socket of the same machine.
func (f *finder) listensThere(fn *Func, call *ast.CallExpr) (found bool) {
	inspectOwn(fn.Body(), func(n ast.Node) {
		listen, ok := n.(*ast.CallExpr)
		if !ok || listen == call {
			return
		}
		callee := calleeOf(f.info, listen)
		if callee == nil || pkgPath(callee) != "net" || !strings.HasPrefix(callee.Name(), "Listen") {
			return
		}
		for _, a := range listen.Args {
			for _, b := range call.Args {
				v := varOf(f.info, a)
				found = found || v != nil && v == varOf(f.info, b) && !v.IsField() && isAddress(v.Type())
			}
		}
	})
	return found
}

// isAddress says whether a type is one in which the address of a socket is
// given.
func isAddress(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String || strings.HasPrefix(deref(t).String(), "net.")
}

// reachBody says how far a function of the package goes, by what it calls. What
// it finds on the way about functions that call each other, or that are too far
// away, holds for this one question only: asked of themselves they may go
// farther.
func (f *finder) reachBody(fn *Func, depth int) Reach {
	if fn == nil || fn.Body() == nil {
		return ReachUnknown
	}
	if r, ok := f.reaches[fn]; ok {
		f.cut = f.cut || f.partial[fn]
		return r
	}
	if depth > maxDepth {
		f.cut = true
		return ReachUnknown
	}
	first, outer := len(f.partial) == 0, f.cut
	f.cut = false
	f.reaches[fn], f.partial[fn] = ReachUnknown, true // for recursion
	best := f.reachCalls(fn, depth)
	f.reaches[fn] = best
	if best == ReachRemote || !f.cut {
		delete(f.partial, fn)
	}
	if first {
		delete(f.partial, fn)
		for g := range f.partial {
			delete(f.reaches, g)
		}
		clear(f.partial)
	}
	f.cut = outer || f.cut && best != ReachRemote
	return best
}

// reachCalls says how far the calls of a function's body go.
func (f *finder) reachCalls(fn *Func, depth int) Reach {
	best := ReachLocal
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		if best == ReachRemote {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if tv, ok := f.info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
			return true
		}
		if errorIndex(f.info, call) < 0 && f.info.TypeOf(call) != nil && !returnsRemote(f.info.TypeOf(call)) {
			if c := calleeOf(f.info, call); c == nil || f.res.funcs[c.Origin()] == nil {
				return true // it cannot fail, so it does not leave the process
			}
		}
		switch r := f.reach(fn, call, depth); {
		case r == ReachRemote, r == ReachParam && best != ReachRemote, r == ReachUnknown && best == ReachLocal:
			best = r
		}
		return true
	})
	return best
}

// returnsRemote says whether a type is one that only a remote call returns,
// with its own way to tell failure: *http.Response, *sql.Row.
func returnsRemote(t types.Type) bool {
	switch t.String() {
	case "*net/http.Response", "*database/sql.Row":
		return true
	}
	return false
}

// networked says whether a package can reach the network: it, or a package
// that it imports, imports one of remoteStd or an RPC library.
func (f *finder) networked(p *types.Package) bool {
	if v, ok := f.netPkgs[p]; ok {
		return v
	}
	f.netPkgs[p] = false
	v := remoteStd[p.Path()] || strings.HasPrefix(p.Path(), "google.golang.org/grpc")
	if !v && !stdlib.Contains("", p.Path()) {
		for _, imp := range p.Imports() {
			if f.networked(imp) {
				v = true
				break
			}
		}
	}
	f.netPkgs[p] = v
	return v
}

func isPackageLevel(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// paramOf is the function, fn or one around it, of which v is a parameter.
func (f *finder) paramOf(fn *Func, v *types.Var) *Func {
	for ; fn != nil; fn = fn.Outer {
		if v.Pos() >= fn.Type().Pos() && v.Pos() < fn.Type().End() {
			for _, field := range fn.Type().Params.List {
				for _, name := range field.Names {
					if f.info.Defs[name] == v {
						return fn
					}
				}
			}
		}
	}
	return nil
}

// paramIndex is the index of v among the parameters of fn, -1 if it is none.
func (f *finder) paramIndex(fn *Func, v *types.Var) int {
	i := 0
	for _, field := range fn.Type().Params.List {
		for _, name := range field.Names {
			if f.info.Defs[name] == v {
				return i
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return -1
}

// literalOf is the function literal that v holds, when it is assigned once.
func (f *finder) literalOf(fn *Func, v *types.Var) *Func {
	e := f.singleValue(fn, v)
	if lit, ok := e.(*ast.FuncLit); ok {
		return f.lits[lit]
	}
	return nil
}

// singleValue is the expression that a local variable holds, when exactly one
// assignment in the outermost function gives it a value; nil otherwise.
func (f *finder) singleValue(fn *Func, v *types.Var) ast.Expr {
	vals := f.valuesOf(fn, v)
	if len(vals) == 1 && vals[0].index < 0 {
		return ast.Unparen(vals[0].expr)
	}
	return nil
}

// An assigned is one value that a variable is given. Index is the number of
// the result where expr has several, else -1.
type assigned struct {
	expr  ast.Expr
	index int
	node  ast.Node // the statement
}

// valuesOf lists what a local variable is given anywhere in the declaration
// around fn, in source order. Changes by ++ and op= are listed with a nil expr
// and so are range clauses, with the range statement as node.
func (f *finder) valuesOf(fn *Func, v *types.Var) []assigned {
	outer := fn
	for outer.Outer != nil {
		outer = outer.Outer
	}
	m := f.assigns[outer]
	if m == nil {
		m = collectAssigns(f.info, outer)
		f.assigns[outer] = m
	}
	return m[v]
}

func collectAssigns(info *types.Info, fn *Func) map[*types.Var][]assigned {
	m := make(map[*types.Var][]assigned)
	add := func(lhs ast.Expr, a assigned) {
		if id, ok := ast.Unparen(lhs).(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				m[v] = append(m[v], a)
			}
		}
	}
	pair := func(lhs, rhs []ast.Expr, n ast.Node) {
		for i, l := range lhs {
			switch {
			case len(rhs) == len(lhs):
				add(l, assigned{rhs[i], -1, n})
			case len(rhs) == 1:
				add(l, assigned{rhs[0], i, n})
			}
		}
	}
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			switch n.Tok.String() {
			case "=", ":=":
				pair(n.Lhs, n.Rhs, n)
			default:
				add(n.Lhs[0], assigned{nil, -1, n})
			}
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				lhs[i] = id
			}
			pair(lhs, n.Values, n)
		case *ast.IncDecStmt:
			add(n.X, assigned{nil, -1, n})
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					add(e, assigned{nil, -1, n})
				}
			}
		case *ast.TypeSwitchStmt:
			// Each clause has a variable of its own.
			for _, c := range n.Body.List {
				if v, ok := info.Implicits[c].(*types.Var); ok {
					m[v] = append(m[v], assigned{switchOperand(n), -1, n.Assign})
				}
			}
		}
		return true
	})
	return m
}
