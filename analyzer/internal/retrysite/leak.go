package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// leaks finds a way back on which a response stays open, of the operation proper or
// of another one that is repeated beside it: a fallback is asked only where the
// first one failed.
func (f *finder) leaks(s *Site, best *candidate, ops []*candidate) {
	f.leak(s, s.Op(), best)
	for _, op := range s.Ops[1:] {
		for _, c := range ops {
			if s.Leak == nil && c.call == op.Call {
				f.leak(s, op, c)
			}
		}
	}
}

func (f *finder) leak(s *Site, op *Operation, c *candidate) {
	var resp *types.Var
	for _, v := range op.Results {
		if v != nil && v.Type().String() == "*net/http.Response" {
			resp = v
		}
	}
	if resp == nil || !c.success.repeats || len(c.success.nodes) == 0 {
		return
	}
	if own := f.called(s.Func, c.call); own != nil && own.Body() != nil && f.mentionsClose(own, 0) {
		return // it may have read the response, and closed it
	}
	p := newPaths(c.success)
	seen := make(map[*pathNode]bool)
	work := []*pathNode{c.success.nodes[0]}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		back := n.repeat && n != c.success.nodes[0]
		closed := false
		for i, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
			if n == c.success.nodes[0] && i == 0 {
				continue
			}
			if back && contains(x, c.call) {
				break // what stands before the operation may close what the last attempt left
			}
			closed = closed || f.closes(s.Func, x, resp)
		}
		if back && !closed {
			s.Leak, s.Leaks = resp, op
			return
		}
		for _, next := range p.succs[n] {
			if !closed && !f.hasNone(n, next, resp) {
				work = append(work, next)
			}
		}
	}
}

// hasNone says whether the way from one node to the next is taken where there
// is no response, or one without a body.
func (f *finder) hasNone(n, next *pathNode, resp *types.Var) bool {
	if next.st.of(ref{root: resp}).is == isNil || next.st.of(ref{resp, ".Body"}).is == isNil {
		return true
	}
	if n.cond == nil || n.ways[0] == n.ways[1] {
		return false
	}
	return next == n.ways[1] && f.comparesAll(n.cond, token.LAND, token.NEQ, resp) ||
		next == n.ways[0] && f.comparesAll(n.cond, token.LOR, token.EQL, resp)
}

// comparesAll says whether all that a condition joins compares a response, or
// its body, with nil.
func (f *finder) comparesAll(cond ast.Expr, join, op token.Token, resp *types.Var) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return false
	case b.Op == join:
		return f.comparesAll(b.X, join, op, resp) && f.comparesAll(b.Y, join, op, resp)
	}
	return b.Op == op && f.info.Types[b.Y].IsNil() && rootVar(f.info, b.X) == resp
}

// closes says whether a node closes a response, or hands it on to something
// that may.
func (f *finder) closes(fn *Func, n ast.Node, resp *types.Var) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Close" && rootVar(f.info, sel.X) == resp {
				found = true
			}
			for _, a := range n.Args {
				if rootVar(f.info, a) != resp || isPlain(f.info.TypeOf(a)) || leavesOpen(calleeOf(f.info, n)) {
					continue
				}
				target := f.called(fn, n)
				if target == nil && f.judges(n) {
					continue
				}
				if target == nil || target.Body() == nil || f.mentionsClose(target, 0) {
					found = true
				}
			}
		case *ast.AssignStmt:
			for _, r := range n.Rhs {
				if rootVar(f.info, r) == resp && !isPlain(f.info.TypeOf(r)) {
					if _, isCall := ast.Unparen(r).(*ast.CallExpr); !isCall {
						found = true // someone else has it now
					}
				}
			}
		case *ast.ReturnStmt, *ast.SendStmt:
			found = true
		case *ast.FuncLit:
			ast.Inspect(n, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok && f.info.ObjectOf(id) == resp {
					found = true
				}
				return true
			})
		}
		return !found
	})
	return found
}

// judges says whether a call that can't be followed asks what to make of a
// response, by the answer: whether to go on, after how long. A function that is
// known by name, in another package, may do more.
func (f *finder) judges(call *ast.CallExpr) bool {
	callee := calleeOf(f.info, call)
	if callee != nil && (callee.Signature().Recv() == nil || !types.IsInterface(callee.Signature().Recv().Type())) {
		return false
	}
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	asked := false
	for v := range sig.Results().Variables() {
		t := v.Type()
		switch {
		case isDuration(t), types.Identical(t.Underlying(), types.Typ[types.Bool]):
			asked = true
		case !isError(t):
			return false
		}
	}
	return asked
}

// called is the function of the package, or the literal, that a call runs; nil
// where that is not known.
func (f *finder) called(fn *Func, call *ast.CallExpr) *Func {
	if v, ok := objectOf(f.info, call.Fun).(*types.Var); ok {
		return f.literalOf(fn, v)
	}
	return f.res.FuncOf(calleeOf(f.info, call))
}

// isPlain says whether a value of the type can't hold a response's body.
func isPlain(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Map:
		return true // a header
	case *types.Pointer:
		s := t.String()
		return strings.HasSuffix(s, "url.URL")
	}
	return false
}

func (f *finder) mentionsClose(fn *Func, depth int) (found bool) {
	if fn == nil || fn.Body() == nil || depth > 2 {
		return depth > 2
	}
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Close" {
				found = true
			}
			if leavesOpen(calleeOf(f.info, n)) {
				return true
			}
			for _, a := range n.Args {
				if t := f.info.TypeOf(a); t != nil && (t.String() == "*net/http.Response" || t.String() == "io.ReadCloser") {
					if target := f.res.FuncOf(calleeOf(f.info, n)); target == nil || f.mentionsClose(target, depth+1) {
						found = true
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				if t := f.info.TypeOf(n.X); t != nil && t.String() == "net/http.Response" {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// leavesOpen says whether a function is a reader of the standard library's, which
// leaves open what it reads from.
func leavesOpen(callee *types.Func) bool {
	if callee == nil {
		return false
	}
	switch pkgPath(callee) {
	case "io", "io/ioutil", "bufio", "bytes", "encoding/json", "encoding/xml", "net/http/httputil":
		return true
	}
	return false
}
