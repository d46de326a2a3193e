package retrysite

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// A FreshID is a unique id that is made anew for each attempt and goes out
// with it.
type FreshID struct {
	// Call makes the id.
	Call *ast.CallExpr
	// Maker is how the call is written: "uuid.NewString".
	Maker string
	// Sink is what the id becomes: a header, a field, a parameter or a variable,
	// by name.
	Sink string
	How  SinkKind
	// Via is the function of the package in which the id is made, nil if it is
	// made in the site's own source.
	Via *types.Func
}

// A SinkKind is the way in which an id leaves with an attempt.
type SinkKind uint8

const (
	SinkHeader SinkKind = iota + 1
	SinkField
	SinkArgument
	SinkVariable
	SinkStatement // an SQL statement
)

// FreshIDs lists the ids that are made inside what the site retries and go out
// with the attempt, in source order.
func (r *Result) FreshIDs(s *Site) []FreshID {
	if s.Body == nil || r.find == nil {
		return nil
	}
	h := &freshHunt{f: r.find, fn: s.Func, ops: make(map[*ast.CallExpr]bool)}
	if s.Attempt != nil {
		h.fn = s.Attempt
	}
	for _, op := range s.Ops {
		h.ops[op.Call] = true
	}
	h.region(s.Body, nil)
	for _, op := range s.Ops {
		h.enter(op.Callee, 0)
	}
	return h.found
}

type freshHunt struct {
	f     *finder
	fn    *Func
	ops   map[*ast.CallExpr]bool
	found []FreshID
	seen  map[*Func]bool
}

// enter looks into a function of the package that is called once per attempt.
func (h *freshHunt) enter(callee *types.Func, depth int) {
	target := h.f.res.FuncOf(callee)
	if target == nil || target.Body() == nil || depth > 2 || h.seen[target] {
		return
	}
	if h.seen == nil {
		h.seen = make(map[*Func]bool)
	}
	h.seen[target] = true
	h.region(target.Body(), callee)
	inspectOwn(target.Body(), func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			h.enter(calleeOf(h.f.info, call), depth+1)
		}
	})
}

// region looks for ids made in a piece of source that runs once per attempt.
func (h *freshHunt) region(body *ast.BlockStmt, via *types.Func) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		number := h.f.numbersAnew(call)
		if !number && !h.f.makesID(call) && !h.f.randomText(body, call) {
			return true
		}
		how, name := h.sink(body, call, 0)
		if number && (how == SinkStatement || !isKeyName(name) || namesRequest(name)) {
			return true // a time, or a number, that is sent for what it says
		}
		if how != 0 {
			h.found = append(h.found, FreshID{Call: call, Maker: callName(call), Sink: name, How: how, Via: via})
		}
		return false
	})
}

// namesRequest says whether a key's name is that of one request, which may well
// be another one for each attempt.
func namesRequest(name string) bool {
	return strings.EqualFold(strings.NewReplacer("-", "", "_", "").Replace(name), "requestid")
}

// sink follows a value outwards from e to what carries it away.
func (h *freshHunt) sink(body *ast.BlockStmt, e ast.Expr, depth int) (SinkKind, string) {
	if depth > 4 {
		return 0, ""
	}
	path := enclosingPath(body, e)
	for i := 1; i < len(path); i++ {
		child := path[i-1]
		switch p := path[i].(type) {
		case *ast.SelectorExpr, *ast.ParenExpr, *ast.BinaryExpr, *ast.UnaryExpr, *ast.SliceExpr, *ast.StarExpr:
		case *ast.KeyValueExpr:
			if child != ast.Node(p.Value) {
				return 0, ""
			}
			name := keyName(h.f.info, p.Key)
			if isKeyName(name) {
				return SinkField, name
			}
			if isIDName(name) && h.goesToOp(path[i:]) {
				return SinkField, name
			}
			return 0, ""
		case *ast.CompositeLit:
		case *ast.CallExpr:
			if child == ast.Node(p.Fun) {
				continue // x.String()
			}
			how, name, through := h.argument(p, child.(ast.Expr))
			if !through {
				return how, name
			}
		case *ast.AssignStmt:
			return h.assigned(body, p, child, depth)
		case *ast.ValueSpec:
			for j, v := range p.Values {
				if v == child && j < len(p.Names) {
					return h.variable(body, p.Names[j], depth)
				}
			}
			return 0, ""
		default:
			return 0, ""
		}
	}
	return 0, ""
}

func (h *freshHunt) assigned(body *ast.BlockStmt, as *ast.AssignStmt, child ast.Node, depth int) (SinkKind, string) {
	j := 0
	for k, r := range as.Rhs {
		if r == child && len(as.Rhs) == len(as.Lhs) {
			j = k
		}
	}
	switch l := ast.Unparen(as.Lhs[j]).(type) {
	case *ast.Ident:
		return h.variable(body, l, depth)
	case *ast.SelectorExpr:
		if isKeyName(l.Sel.Name) {
			return SinkField, l.Sel.Name
		}
	case *ast.IndexExpr: // headers["Idempotency-Key"] = id
		if name := keyName(h.f.info, l.Index); isKeyName(name) {
			return SinkHeader, name
		}
	}
	return 0, ""
}

// variable follows the uses of a variable that holds an id.
func (h *freshHunt) variable(body *ast.BlockStmt, id *ast.Ident, depth int) (how SinkKind, name string) {
	v := h.f.info.ObjectOf(id)
	if v == nil || id.Name == "_" {
		return 0, ""
	}
	inside := body.Pos() <= v.Pos() && v.Pos() < body.End()
	if !inside {
		// A variable outside keeps the id from one attempt to the next only if
		// it is made when missing, which a condition around it would show.
		if h.underCondition(body, id) {
			return 0, ""
		}
	}
	named := isKeyName(id.Name)
	ast.Inspect(body, func(n ast.Node) bool {
		use, ok := n.(*ast.Ident)
		if !ok || how != 0 || use.Pos() <= id.Pos() || h.f.info.Uses[use] != v {
			return true
		}
		how, name = h.sink(body, use, depth+1)
		return true
	})
	if how == 0 && named {
		return SinkVariable, id.Name
	}
	return how, name
}

// underCondition says whether n stands in an if within body.
func (h *freshHunt) underCondition(body *ast.BlockStmt, n ast.Node) bool {
	for _, p := range enclosingPath(body, n) {
		if _, ok := p.(*ast.IfStmt); ok {
			return true
		}
	}
	return false
}

// argument judges an id that is handed to a call: where it goes, or through
// when the call only turns it into something else.
func (h *freshHunt) argument(call *ast.CallExpr, arg ast.Expr) (how SinkKind, name string, through bool) {
	info := h.f.info
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return 0, "", true
	}
	callee := calleeOf(info, call)
	index := -1
	for i, a := range call.Args {
		if a == arg {
			index = i
		}
	}
	if callee == nil || index < 0 {
		return 0, "", false
	}
	switch path := pathOf(callee); {
	case path == "fmt" && strings.HasPrefix(callee.Name(), "Sprint"), path == "strings", path == "strconv", path == "encoding/hex",
		path == "encoding/base64":
		return 0, "", true
	case path == "log", path == "log/slog", path == "fmt", path == "os", path == "path/filepath":
		return 0, "", false
	}
	switch callee.Name() {
	case "Set", "Add", "WithHeader", "SetHeader", "AddHeader", "WithMetadata", "AppendToOutgoingContext":
		for j := index - 1; j >= 0; j-- {
			if name := keyName(info, call.Args[j]); name != "" {
				if isKeyName(name) {
					return SinkHeader, name, false
				}
				return 0, "", false
			}
		}
	}
	param := paramName(callee.Signature(), index)
	if h.ops[call] || h.f.reach(h.fn, call, 1) == ReachRemote {
		if isKeyName(param) || isIDName(param) && h.ops[call] {
			return SinkArgument, param, false
		}
		if sql := h.statement(call); strings.Contains(strings.ToUpper(sql), "INSERT") {
			return SinkStatement, "INSERT", false
		}
		return 0, "", false
	}
	if isKeyName(param) || isKeyName(callee.Name()) {
		return SinkArgument, param, false
	}
	// A function of one argument that gives something back: stripe.String(id).
	return 0, "", len(call.Args) == 1 && callee.Signature().Results().Len() > 0
}

// statement is the constant text of an SQL statement that a call is given.
func (h *freshHunt) statement(call *ast.CallExpr) string {
	for _, a := range call.Args {
		if tv := h.f.info.Types[a]; tv.Value != nil && tv.Value.Kind() == constant.String {
			return constant.StringVal(tv.Value)
		}
	}
	return ""
}

// goesToOp says whether the composite literal around a field is an argument of
// the operation, directly or through one variable.
func (h *freshHunt) goesToOp(path []ast.Node) bool {
	for _, p := range path {
		switch p := p.(type) {
		case *ast.CallExpr:
			return h.ops[p]
		case *ast.AssignStmt:
			for _, l := range p.Lhs {
				v := objectOf(h.f.info, l)
				for op := range h.ops {
					for _, a := range op.Args {
						found := false
						ast.Inspect(a, func(n ast.Node) bool {
							if id, ok := n.(*ast.Ident); ok && v != nil && h.f.info.ObjectOf(id) == v {
								found = true
							}
							return true
						})
						if found {
							return true
						}
					}
				}
			}
			return false
		}
	}
	return false
}

// makesID says whether a call makes a unique id: a known maker, or a function
// of the package that returns what one gives it.
func (f *finder) makesID(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if callee == nil {
		return false
	}
	if isIDMaker(callee) {
		return true
	}
	return f.makerFunc(callee, 0)
}

func (f *finder) makerFunc(callee *types.Func, depth int) bool {
	target := f.res.FuncOf(callee)
	if target == nil || target.Body() == nil || depth > 2 {
		return false
	}
	if v, ok := f.makers[target]; ok {
		return v
	}
	f.makers[target] = false
	res := callee.Signature().Results()
	if res.Len() == 0 || res.Len() > 2 {
		return false
	}
	found := false
	inspectOwn(target.Body(), func(n ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok || len(ret.Results) == 0 {
			return
		}
		ast.Inspect(ret.Results[0], func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if c := calleeOf(f.info, call); c != nil && (isIDMaker(c) || f.makerFunc(c, depth+1)) {
					found = true
				}
				found = found || f.randomText(target.Body(), call)
			}
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.info.ObjectOf(id).(*types.Var); ok {
					for _, a := range f.valuesOf(target, v) {
						if call, ok := a.expr.(*ast.CallExpr); ok {
							if c := calleeOf(f.info, call); c != nil && isIDMaker(c) || f.randomText(target.Body(), call) {
								found = true
							}
						}
					}
				}
			}
			return !found
		})
	})
	// A struct that has an id in it is not an id.
	if found {
		t := res.At(0).Type()
		if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			if _, ok := t.Underlying().(*types.Array); !ok {
				found = false
			}
		}
	}
	f.makers[target] = found
	return found
}

// enclosingPath lists n and the nodes around it, from inside out, up to body.
func enclosingPath(body *ast.BlockStmt, n ast.Node) []ast.Node {
	var path, stack []ast.Node
	ast.Inspect(body, func(m ast.Node) bool {
		if m == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, m)
		if m == n && path == nil {
			for i := len(stack) - 1; i >= 0; i-- {
				path = append(path, stack[i])
			}
		}
		return true
	})
	return path
}

// keyName is the name of a field or the constant text of a key.
func keyName(info *types.Info, e ast.Expr) string {
	if tv, ok := info.Types[e]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value)
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isKeyName says whether a name says that a value identifies the request: an
// idempotency key by any of its names.
func isKeyName(name string) bool {
	n := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	for _, s := range []string{"idempot", "dedup", "clienttoken", "clientrequesttoken", "clientrequestid", "paymentid", "transactionid", "chargeid", "orderid", "refundid", "transferid"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	return n == "requestid"
}

func isIDName(name string) bool {
	n := strings.ToLower(name)
	if strings.Contains(n, "trace") || strings.Contains(n, "span") || strings.Contains(n, "correlation") || strings.Contains(n, "log") || strings.Contains(n, "session") {
		return false
	}
	return n == "id" || n == "uuid" || n == "key" || n == "guid" || strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Id")
}

func paramName(sig *types.Signature, i int) string {
	if n := sig.Params().Len(); i >= n {
		i = n - 1
	}
	if i < 0 {
		return ""
	}
	return sig.Params().At(i).Name()
}

func pathOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}
