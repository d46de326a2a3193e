package retrysite

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A candidate is a call whose failure comes back to it.
type candidate struct {
	call          *ast.CallExpr
	reach         Reach
	motion        motion
	round         bool       // the target is the next of a list that begins anew
	reset         *types.Var // the index that is taken back for that
	resumes       bool       // what went well only moves on where the next round begins
	fail, success *walk
}

// candidates are the operations of l, without those that have their site, in
// source order.
func (f *finder) candidates(g *graph, l *loop, done map[*ast.CallExpr]bool) (ops []*candidate) {
	// How far one call is followed may depend on those that were looked at before.
	inOrder := func(a, b *ast.CallExpr) int { return int(a.Pos() - b.Pos()) }
	for _, call := range slices.SortedFunc(maps.Keys(g.at), inOrder) {
		if l.blocks[g.at[call].block] && !done[call] {
			if c := f.candidate(g, l, call); c != nil {
				ops = append(ops, c)
			}
		}
	}
	if slices.ContainsFunc(ops, func(c *candidate) bool { return !closes(c.call) }) {
		ops = slices.DeleteFunc(ops, func(c *candidate) bool { return closes(c.call) })
	}
	if slices.ContainsFunc(ops, func(c *candidate) bool { return f.givesResponse(c.call) }) {
		ops = slices.DeleteFunc(ops, func(c *candidate) bool { return !c.fail.repeats && f.readsResponse(c.call) })
	}
	return ops
}

// givesResponse says whether a call answers with the response to a request.
func (f *finder) givesResponse(call *ast.CallExpr) bool {
	results, ok := f.info.TypeOf(call).(*types.Tuple)
	return ok && results.Len() == 2 && results.At(0).Type().String() == "*net/http.Response"
}

// readsResponse says whether a call is handed the response to a request, and
// answers with none: it reads what another operation got.
func (f *finder) readsResponse(call *ast.CallExpr) bool {
	return !f.givesResponse(call) && slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		t := f.info.TypeOf(a)
		return t != nil && t.String() == "*net/http.Response"
	})
}

// closes says whether a call is named for closing something, which is no operation
// beside another one: closeLocked, CloseConn.
func closes(call *ast.CallExpr) bool {
	return strings.HasPrefix(strings.ToLower(bareName(callName(call))), "close")
}

// candidate walks from call and says whether its failure drives the loop.
func (f *finder) candidate(g *graph, l *loop, call *ast.CallExpr) *candidate {
	ei := errorIndex(f.info, call)
	if ei < 0 && !f.answersOtherwise(g.fn, call) || asks(call) || f.asksForSecret(call) || f.onlyPauses(call) {
		return nil
	}
	if tv, ok := f.info.Types[call.Fun]; ok && tv.IsType() {
		return nil
	}
	callee := calleeOf(f.info, call)
	if f.handlesError(callee, call) {
		return nil
	}
	reach := f.reach(g.fn, call, 0)
	if reach == ReachLocal || f.listensThere(g.fn, call) || reach == ReachParam && f.handedOnlyLocal(g.fn, call) {
		return nil
	}
	if discarded(g, call, ei) || f.onlyNoted(g, l, call, ei) {
		return nil
	}
	c := &candidate{call: call, reach: reach}
	c.fail = &walk{info: f.info, g: g, l: l, op: call, err: ei, fail: true}
	c.fail.run()
	if c.fail.gaveUp {
		return nil
	}
	c.success = &walk{info: f.info, g: g, l: l, op: call, err: ei, steps: c.fail.repeats}
	c.success.run()
	if c.success.gaveUp {
		return nil
	}
	if ei < 0 && (reach != ReachRemote || !c.success.repeats || !c.success.exits || c.success.repeatsBlind) {
		return nil
	}
	if !c.fail.repeats && !(c.success.repeats && c.success.exits && !c.success.repeatsBlind) {
		return nil
	}
	f.target(g, l, c)
	return c
}

// asks says whether a call waits for somebody rather than for an answer: an
// accepted connection, or what a person types. So is it with a switch of tests, by
// which they make something fail.
func asks(call *ast.CallExpr) bool {
	name := strings.ToLower(bareName(callName(call)))
	if strings.HasPrefix(name, "accept") || isSecret(name) {
		return true
	}
	for _, s := range []string{"prompt", "readline", "userinput", "failpoint"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// onlyPauses says whether a call is one that waits, by what it takes and gives: a
// context, how long, and an error.
func (f *finder) onlyPauses(call *ast.CallExpr) bool {
	sig, ok := f.info.TypeOf(call.Fun).(*types.Signature)
	return ok && sig.Params().Len() == 2 && isContext(sig.Params().At(0).Type()) && isDuration(sig.Params().At(1).Type()) &&
		sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
}

// isSecret says whether a name is that of what a person types to be let in.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "password") || strings.Contains(name, "passphrase")
}

// asksForSecret says whether a call is of a func value that gives a password:
// whoever hands it in asks a person, as a rule, and asks again.
func (f *finder) asksForSecret(call *ast.CallExpr) bool {
	if calleeOf(f.info, call) != nil {
		return false
	}
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	for v := range sig.Results().Variables() {
		if isSecret(v.Name()) {
			return true
		}
	}
	return false
}

// answersOtherwise says whether a call of a function of the package, or of a
// literal that a local variable holds, tells by a bool or a struct, rather than by
// an error, whether it failed.
func (f *finder) answersOtherwise(fn *Func, call *ast.CallExpr) bool {
	v, _ := objectOf(f.info, call.Fun).(*types.Var)
	if f.res.FuncOf(calleeOf(f.info, call)) == nil && (v == nil || v.IsField() || f.literalOf(fn, v) == nil) {
		return false
	}
	if errorIndex(f.info, call) >= 0 || receives(bareName(callName(call))) {
		return false
	}
	sig, ok := f.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	for v := range sig.Results().Variables() {
		t := v.Type()
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			return true
		}
		s, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range s.Fields() {
			if isError(field.Type()) {
				return true
			}
		}
	}
	return false
}

// receives says whether a function is named for taking what the other side
// sends, whenever that is.
func receives(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "receive") || strings.HasPrefix(name, "recv")
}

// discarded says whether nobody looks at a call's error.
func discarded(g *graph, call *ast.CallExpr, ei int) bool {
	p := g.at[call]
	switch n := p.block.Nodes[p.index].(type) {
	case *ast.ExprStmt:
		return ast.Unparen(n.X) == ast.Expr(call)
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 && ast.Unparen(n.Rhs[0]) == ast.Expr(call) && ei >= 0 && ei < len(n.Lhs) {
			id, ok := n.Lhs[ei].(*ast.Ident)
			return ok && id.Name == "_"
		}
	}
	return false
}

// handlesError says whether a call makes, wraps, reads or reports an error
// rather than being what failed.
func (f *finder) handlesError(callee *types.Func, call *ast.CallExpr) bool {
	if callee == nil {
		// A package that stands in for errors may hand on functions as variables,
		// and what says whether to retry may be handed in.
		v, ok := objectOf(f.info, call.Fun).(*types.Var)
		return ok && isPackageLevel(v) && v.Pkg().Name() == "errors" || f.givenError(call)
	}
	if isContextErr(callee) || wraps(callee) {
		return true
	}
	if callee.Pkg() != nil {
		switch callee.Pkg().Path() {
		case "errors", "fmt", "log", "log/slog":
			return true
		}
		if callee.Pkg().Name() == "errors" && (callee.Name() == "Errorf" || callee.Name() == "New") {
			return true // one of the packages that stand in for the standard one
		}
	}
	switch callee.Name() {
	case "Close", "Err", "Error", "Unwrap", "Cause":
		return true
	}
	if recv := callee.Signature().Recv(); recv != nil && implementsError(recv.Type()) {
		return true // a part of an error
	}
	return f.givenError(call) // a wrapper or a handler
}

// givenError says whether one of a call's arguments is an error.
func (f *finder) givenError(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isError(f.info.TypeOf(a)) })
}

// better says which of two candidates is the operation proper.
func (c *candidate) better(d *candidate) bool {
	if a, b := c.rank(), d.rank(); a != b {
		return a < b
	}
	return c.call.Pos() > d.call.Pos()
}

// plain says whether success always leaves the loop, and failure comes back to
// the same call of what leaves the process.
func (c *candidate) plain() bool {
	return c.fail.repeats && !c.success.repeats && c.success.exits && c.motion == stays && c.reach == ReachRemote
}

// staysIn says whether the loop goes on after success too, though not to the
// same call: a step that is made once.
func (c *candidate) staysIn(l *loop) bool {
	return !c.success.repeats && slices.ContainsFunc(c.success.nodes[1:], func(n *pathNode) bool { return n.block == l.head })
}

func (c *candidate) rank() int {
	r := 0
	if !c.fail.repeats {
		r += 16
	}
	if c.success.repeatsBlind {
		r += 8
	}
	if c.motion == moves {
		r += 4
	}
	if c.reach == ReachUnknown {
		r += 2
	}
	return r
}
