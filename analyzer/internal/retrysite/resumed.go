package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
)

// resumes says whether the loop goes on from where it has come to, and comes back
// to the same place after a failure: what went well is added to what the loop's
// condition asks for, which the operation is told.
//
//	for done < size {
//		n, err := send(url, buf[done:])
//		if err != nil {
//			continue
//		}
//		done += n
//	}
//
// What came may be counted as well: done += len(page.Items).
func (f *finder) resumes(l *loop, c *candidate) bool {
	loop, ok := l.node.(*ast.ForStmt)
	if !ok || loop.Cond == nil || !c.fail.repeats || !c.success.repeats || c.fail.err < 0 {
		return false
	}
	t := &targeter{f: f, g: c.fail.g, l: l, op: c.call, fail: c.fail}
	results := t.results()
	found := false
	inspectOwn(loop.Body, func(n ast.Node) {
		step, ok := n.(*ast.AssignStmt)
		if !ok || found || step.Tok != token.ADD_ASSIGN || !c.success.back[n] || c.fail.back[n] {
			return
		}
		got := f.amountOf(step.Rhs[0])
		of := refOf(f.info, step.Lhs[0])
		found = of.root != nil && got != nil && results[got] && f.mentionsRef(loop.Cond, of) && f.mentionsRef(c.call, of)
	})
	return found
}

// amountOf is the variable that holds an amount, or what it is the length of.
func (f *finder) amountOf(e ast.Expr) types.Object {
	e = unconverted(f, e)
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if !isBuiltin(f.info, call, "len") {
			return nil
		}
		return refOf(f.info, call.Args[0]).root
	}
	if v := varOf(f.info, e); v != nil {
		return v
	}
	return nil
}

// unconverted is e without a conversion around it.
func unconverted(f *finder, e ast.Expr) ast.Expr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && f.info.Types[call.Fun].IsType() {
		return call.Args[0]
	}
	return e
}

func (f *finder) mentionsRef(in ast.Node, of ref) (found bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && refOf(f.info, e) == of
		return !found
	})
	return found
}

// beginsAnew says whether an index begins anew at the end of its list within the loop,
// so that each of the list's elements comes again: i = 0, i = (i+1) % len(list).
func (t *targeter) beginsAnew(index ast.Expr) bool {
	if rest, ok := ast.Unparen(index).(*ast.BinaryExpr); ok {
		return rest.Op == token.REM
	}
	v := varOf(t.f.info, index)
	if v == nil || v.IsField() {
		return false
	}
	for _, a := range t.f.valuesOf(t.g.fn, v) {
		if a.expr == nil || !t.inLoop(a.node) {
			continue
		}
		if rest, ok := ast.Unparen(a.expr).(*ast.BinaryExpr); ok && rest.Op == token.REM || isZero(t.f.info, a.expr) {
			return true
		}
	}
	return false
}
