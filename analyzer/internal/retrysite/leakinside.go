package retrysite

import (
	"go/ast"
	"go/types"
)

// leakInside finds a response that stays open inside of what is repeated: in what
// a library runs, or in the function of the package that is the operation, on a
// way that ends with an error which comes back.
//
//	err := backoff.Retry(func() error {
//		resp, err := client.Do(req)
//		if err != nil {
//			return err
//		}
//		if resp.StatusCode != http.StatusOK {
//			return errStatus
//		}
//		...
func (f *finder) leakInside(s *Site) {
	fn := s.Attempt
	if s.Kind != KindLibrary {
		if !s.Blind || !s.Repeats {
			return // some errors leave: which of them is another question
		}
		fn = f.called(s.Func, s.Op().Call)
		if lit, ok := ast.Unparen(s.Op().Call.Fun).(*ast.FuncLit); ok {
			fn = f.lits[lit]
		}
	}
	if fn == nil || fn.Body() == nil || fn == s.Func {
		return
	}
	for _, call := range fn.calls {
		resp := f.responseOf(fn, call)
		if resp == nil {
			continue
		}
		if own := f.called(fn, call); own != nil && own.Body() != nil && f.mentionsClose(own, 0) {
			continue // it may have read the response, and closed it
		}
		if w := f.wholeWalk(fn, call, false); w != nil && f.failsOpen(w, resp) {
			s.Leak, s.Leaks = resp, &Operation{Call: call, Callee: calleeOf(f.info, call), Name: callName(call), ParamIndex: -1}
			return
		}
	}
}

// responseOf is the local variable that takes the response of a call, nil if it
// gives none.
func (f *finder) responseOf(fn *Func, call *ast.CallExpr) (resp *types.Var) {
	tuple, ok := f.info.TypeOf(call).(*types.Tuple)
	if !ok || tuple.Len() != 2 || tuple.At(0).Type().String() != "*net/http.Response" || !isError(tuple.At(1).Type()) {
		return nil
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		if as, ok := n.(*ast.AssignStmt); ok && len(as.Rhs) == 1 && ast.Unparen(as.Rhs[0]) == ast.Expr(call) {
			resp = varOf(f.info, as.Lhs[0])
		}
	})
	if resp == nil || resp.IsField() || isPackageLevel(resp) {
		return nil
	}
	return resp
}

// failsOpen says whether a function, after its request went well, returns an
// error on a way on which nothing closes the response or hands it on.
func (f *finder) failsOpen(w *walk, resp *types.Var) bool {
	p := newPaths(w)
	seen := make(map[*pathNode]bool)
	work := []*pathNode{w.nodes[0]}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		closed := false
		for i, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
			if _, returns := x.(*ast.ReturnStmt); returns || n == w.nodes[0] && i == 0 {
				continue
			}
			closed = closed || f.closes(w.g.fn, x, resp)
		}
		if closed {
			continue
		}
		if r, st := w.returned(n); r != nil && len(r.Results) > 0 && !f.handsOut(w.g.fn, r, resp) {
			if err := r.Results[len(r.Results)-1]; w.eval(st, err).is == isSet || w.sentinel(err) {
				return true
			}
		}
		for _, next := range p.succs[n] {
			if !f.hasNone(n, next, resp) {
				work = append(work, next)
			}
		}
	}
	return false
}

// handsOut says whether a return closes a response, or gives it to somebody.
func (f *finder) handsOut(fn *Func, r *ast.ReturnStmt, resp *types.Var) bool {
	for _, e := range r.Results {
		if f.closes(fn, e, resp) {
			return true
		}
		_, call := ast.Unparen(e).(*ast.CallExpr)
		if !call && mentionsVar(f.info, e, resp) && !isPlain(f.info.TypeOf(e)) {
			return true
		}
	}
	return false
}
