package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A Spent is something that the first attempt reads to its end and that every
// further attempt is given again.
type Spent struct {
	// Arg is the argument, Name how messages call it.
	Arg  ast.Expr
	Name string
	// Request says that it is a request, whose body is spent; it is a reader
	// otherwise.
	Request bool
	// GetBody says that the request was made here with a GetBody.
	GetBody bool
}

// spent finds what the attempts of each site share though only the first can
// read it.
func (f *finder) spent() {
	for _, s := range f.res.Sites {
		region := ast.Node(s.Body)
		if s.Attempt != nil {
			region = s.Attempt.Body()
		}
		if s.Body == nil && s.Attempt == nil {
			continue
		}
		fn := s.Func
		if s.Attempt != nil {
			fn = s.Attempt
		}
		seen := make(map[*types.Var]bool)
		inspectOwn(region, func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || !f.sends(s, call) {
				return
			}
			for i, a := range call.Args {
				v := varOf(f.info, a)
				if as, ok := ast.Unparen(a).(*ast.TypeAssertExpr); ok {
					v = varOf(f.info, as.X)
				}
				if v == nil || isPackageLevel(v) || seen[v] || !v.IsField() && f.givenIn(region, v) {
					continue
				}
				if v.IsField() && !f.heldRequest(region, a, v) {
					continue
				}
				if !v.IsField() && !f.consumed(fn, call, i, v) || f.renewed(fn, region, v, call) && !f.missesRewind(s, region, v) {
					continue
				}
				seen[v] = true
				s.Spent = append(s.Spent, Spent{Arg: a, Name: types.ExprString(a), Request: isRequest(v.Type()), GetBody: f.hasGetBody(fn, v)})
			}
		})
	}
}

// sends says whether a call is an operation of the site, or makes the request
// for one.
func (f *finder) sends(s *Site, call *ast.CallExpr) bool {
	for _, op := range s.Ops {
		if op.Call == call {
			return true
		}
	}
	switch fullName(calleeOf(f.info, call)) {
	case "(net/http.Client).Do", "(net/http.RoundTripper).RoundTrip":
		return true
	}
	return makesRequest(f.info, call) || givesRequest(f.info, call)
}

// givesRequest says whether a call answers with a request, of whatever it makes it.
func givesRequest(info *types.Info, call *ast.CallExpr) bool {
	results, ok := info.TypeOf(call).(*types.Tuple)
	return ok && results.Len() == 2 && isRequest(results.At(0).Type()) && isError(results.At(1).Type())
}

func isRequest(t types.Type) bool { return t.String() == "*net/http.Request" }

// consumed says whether v, argument i of call, is used up by it.
func (f *finder) consumed(fn *Func, call *ast.CallExpr, i int, v *types.Var) bool {
	if isRequest(v.Type()) {
		return f.mayHaveBody(fn, v)
	}
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || i >= sig.Params().Len() {
		return false
	}
	if !isReader(sig.Params().At(i).Type()) {
		return false
	}
	switch t := v.Type().String(); t {
	case "*bytes.Buffer":
		return true
	case "*bytes.Reader", "*strings.Reader":
		return makesRequest(f.info, call) // others may go back to the beginning
	case "io.Reader", "io.ReadCloser", "io.ReadSeeker", "io.ReadSeekCloser":
		values := f.valuesOf(fn, v)
		if f.paramOf(fn, v) != nil && len(values) == 0 {
			return true // whatever the caller has
		}
		return makesRequest(f.info, call) && f.inMemory(values)
	case "any", "interface{}": // as a reader, which the call's parameter shows
		return f.paramOf(fn, v) != nil && len(f.valuesOf(fn, v)) == 0
	}
	return false
}

func isReader(t types.Type) bool { return t.String() == "io.Reader" || t.String() == "io.ReadCloser" }

// makesRequest says whether a call makes a request of net/http, which takes what
// is left of a reader in memory for the whole body.
func makesRequest(info *types.Info, call *ast.CallExpr) bool {
	switch fullName(calleeOf(info, call)) {
	case "net/http.NewRequest", "net/http.NewRequestWithContext":
		return true
	}
	return false
}

// inMemory says whether a variable is given nothing but readers of what is in
// memory, or nil.
func (f *finder) inMemory(values []assigned) bool {
	readers := 0
	for _, val := range values {
		if val.expr == nil {
			return false
		}
		if f.info.Types[val.expr].IsNil() {
			continue
		}
		call, ok := ast.Unparen(val.expr).(*ast.CallExpr)
		if !ok {
			return false
		}
		switch fullName(calleeOf(f.info, call)) {
		case "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString", "strings.NewReader":
			readers++
		default:
			return false
		}
	}
	return readers > 0
}

// mayHaveBody says whether a request may have a body: a parameter that nothing
// in the function looks into, or one made here with a reader.
func (f *finder) mayHaveBody(fn *Func, v *types.Var) bool {
	if owner := f.paramOf(fn, v); owner != nil && len(f.valuesOf(fn, v)) == 0 {
		return !f.neverWithBody(owner, v, 0)
	}
	for _, body := range f.bodiesOf(fn, v) {
		b := varOf(f.info, body)
		if b != nil && b.Type().String() == "io.Reader" && f.paramOf(fn, b) != nil && len(f.valuesOf(fn, b)) == 0 {
			return true
		}
		if f.readOnce(body) {
			return true
		}
	}
	return f.hasGetBody(fn, v)
}

// readOnce says whether a body is a reader that net/http can't take back to its
// beginning: an open file, or what wraps another reader.
func (f *finder) readOnce(body ast.Expr) bool {
	if t := f.info.TypeOf(body); t != nil && t.String() == "*os.File" {
		return true
	}
	call, ok := ast.Unparen(body).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fullName(calleeOf(f.info, call)) {
	case "io.NopCloser", "io/ioutil.NopCloser", "io.TeeReader", "io.MultiReader", "io.LimitReader", "bufio.NewReader":
		return true
	}
	return false
}

// bodiesOf are what a request that the function makes, in one place or in
// several, may be made with; none when that is not known.
func (f *finder) bodiesOf(fn *Func, req *types.Var) (bodies []ast.Expr) {
	for _, val := range f.valuesOf(fn, req) {
		if val.expr == nil {
			return nil
		}
		call, ok := ast.Unparen(val.expr).(*ast.CallExpr)
		if !ok {
			return nil
		}
		if body := requestBody(f.info, call); body != nil {
			bodies = append(bodies, body)
			continue
		}
		if made, _, ok := f.madeByHelper(call, 0); ok {
			bodies = append(bodies, made...)
			continue
		}
		switch fullName(calleeOf(f.info, call)) {
		case "(net/http.Request).WithContext": // the same one, if it is its own
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || varOf(f.info, sel.X) != req {
				return nil
			}
		default:
			return nil
		}
	}
	return bodies
}

// hasGetBody says whether a request is made here with one of the three readers
// of which net/http takes a GetBody. Its transport uses that for a connection
// that it kept and that turns out to be closed, and not on a new one: there, a
// second Do fails, since the length is that of a body which has been read.
func (f *finder) hasGetBody(fn *Func, req *types.Var) bool {
	rewindable := func(e ast.Expr) bool {
		t := f.info.TypeOf(e)
		if t == nil {
			return false
		}
		switch t.String() {
		case "*bytes.Reader", "*bytes.Buffer", "*strings.Reader":
			return true
		}
		return false
	}
	for _, body := range f.bodiesOf(fn, req) {
		if rewindable(body) {
			return true
		}
		if v := varOf(f.info, body); v != nil && v.Type().String() == "io.Reader" {
			for _, val := range f.valuesOf(fn, v) {
				if val.expr != nil && rewindable(val.expr) {
					return true
				}
			}
		}
	}
	return false
}

// renewed says whether anything gives v a new body or takes it back to its
// beginning, or may: a method on it, an assignment, a function that is given
// it besides the call.
func (f *finder) renewed(fn *Func, region ast.Node, v *types.Var, sent *ast.CallExpr) (found bool) {
	outer := fn
	for outer.Outer != nil {
		outer = outer.Outer
	}
	request := isRequest(v.Type())
	ast.Inspect(outer.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			found = found || region.Pos() <= n.Pos() && n.End() <= region.End() && f.onlyWithout(n, v)
		case *ast.SelectorExpr:
			if varOf(f.info, n.X) != v {
				return true
			}
			switch name := n.Sel.Name; {
			case request && (name == "Body" || name == "GetBody" || name == "Clone" || name == "Method" || name == "ContentLength"):
				found = true
			case !request && name != "Close" && name != "Len" && region.Pos() <= n.Pos() && n.End() <= region.End():
				found = true
			}
		case *ast.CallExpr:
			if n == sent || n.End() > region.End() || n.Pos() < region.Pos() && !returnsFunc(f.info.TypeOf(n)) {
				return true
			}
			for _, a := range n.Args {
				if varOf(f.info, a) == v && !f.harmlessUse(n) {
					found = true
				}
			}
		case *ast.TypeAssertExpr: // as what can go back to its beginning
			if varOf(f.info, n.X) == v && region.Pos() <= n.Pos() && n.End() <= region.End() {
				found = found || n.Type == nil || !isReader(f.info.TypeOf(n.Type))
			}
		case *ast.AssignStmt:
			if region.Pos() <= n.Pos() && n.End() <= region.End() {
				for _, l := range n.Lhs {
					if rootVar(f.info, l) == v {
						if _, isHeader := l.(*ast.IndexExpr); !isHeader {
							found = true
						}
					}
				}
			}
		}
		return !found
	})
	if found || !request {
		return found
	}
	// A function of the package that is handed the request may care for it.
	if target := f.res.FuncOf(calleeOf(f.info, sent)); target != nil && target.Body() != nil {
		return f.touchesBody(target, 0)
	}
	return false
}

// returnsFunc says whether a call's result is a function: one that was given a
// request may renew it later.
func returnsFunc(result types.Type) bool {
	if result == nil {
		return false
	}
	_, ok := result.Underlying().(*types.Signature)
	return ok
}

// onlyWithout says whether an if statement leads to the next attempt where v is
// nil, or leaves where it isn't.
func (f *finder) onlyWithout(branch *ast.IfStmt, v *types.Var) bool {
	var asks func(e ast.Expr, join, op token.Token) bool
	asks = func(e ast.Expr, join, op token.Token) bool {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		switch {
		case !ok:
			return false
		case b.Op == join:
			return asks(b.X, join, op) || asks(b.Y, join, op)
		}
		return b.Op == op && varOf(f.info, b.X) == v && f.info.Types[b.Y].IsNil()
	}
	return asks(branch.Cond, token.LAND, token.EQL) && skips(branch.Body) || asks(branch.Cond, token.LOR, token.NEQ) && endsLoop(branch.Body)
}

// endsLoop says whether a block ends with the end of the loop around it.
func endsLoop(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && s.Label == nil
	}
	return false
}

// skips says whether a statement may go on to the next round.
func skips(s ast.Stmt) (found bool) {
	inspectOwn(s, func(n ast.Node) {
		if b, ok := n.(*ast.BranchStmt); ok && (b.Tok == token.CONTINUE || b.Tok == token.GOTO) {
			found = true
		}
	})
	return found
}

// harmlessUse says whether a call that is given the value only looks at it.
func (f *finder) harmlessUse(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if callee == nil {
		return false
	}
	if f.res.FuncOf(callee) != nil {
		return !f.touchesBody(f.res.FuncOf(callee), 0)
	}
	switch pkgPath(callee) {
	case "fmt", "log", "log/slog":
		return true
	}
	return false
}

// touchesBody says whether a function of the package, or one that it calls,
// mentions the body of a request.
func (f *finder) touchesBody(fn *Func, depth int) (found bool) {
	if fn == nil || fn.Body() == nil || depth > 2 {
		return false
	}
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if t := f.info.TypeOf(n.X); t != nil && isRequest(t) {
				switch n.Sel.Name {
				case "Body", "GetBody", "Clone":
					found = true
				}
			}
		case *ast.CallExpr:
			if target := f.res.FuncOf(calleeOf(f.info, n)); target != nil && target != fn {
				for _, a := range n.Args {
					if t := f.info.TypeOf(a); t != nil && isRequest(t) {
						found = found || f.touchesBody(target, depth+1)
					}
				}
			}
		}
		return !found
	})
	return found
}
