package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// forgetAnswers takes out the looks that a closure makes only when its
// operations succeeded: a mark on "nothing was found" says nothing about the
// failures beside it, all of which are returned bare.
//
// It does so only where that is certain. A closure that marks nothing may wait
// for a state, and take failures as one more way of not being there yet. An
// answer that carries a status (an http.Response) is itself where a failure is
// told from another, so that its error, which the network made, need not be
// looked at; and what is done after the fact, in a deferred function, may be
// about anything.
func (f *finder) forgetAnswers(a *attempt, s *Site, c retrylib.Call) {
	if c.Entry.Protocol != retrylib.ProtocolError || a.inspectionUnknown || defersFunc(s.Body) {
		return
	}
	if !slices.ContainsFunc(a.inspections, func(in Inspection) bool { return in.How == InspectPermanent }) {
		return
	}
	visited := make(map[ast.Node]bool)
	for _, op := range a.ops {
		if f.carriesStatus(op) || f.handsOutStatus(op) {
			return
		}
		w := f.wholeWalk(s.Attempt, op.Call, true)
		if w == nil {
			return
		}
		for _, n := range w.nodes {
			for _, x := range n.block.Nodes[min(n.from, len(n.block.Nodes)):] {
				visited[x] = true
			}
		}
	}
	a.inspections = slices.DeleteFunc(a.inspections, func(in Inspection) bool {
		if in.Expr == nil || !contains(s.Body, in.Expr) {
			return false // it stands in a function that the closure calls
		}
		for n := range visited {
			if contains(n, in.Expr) || contains(in.Expr, n) {
				return false
			}
		}
		return true
	})
}

// carriesStatus says whether what an operation answers tells by a number, or is
// asked by a method, how it went.
func (f *finder) carriesStatus(op *Operation) bool {
	t := f.info.TypeOf(op.Call)
	results, ok := t.(*types.Tuple)
	if !ok {
		return t != nil && statusOf(t)
	}
	for i := range results.Len() {
		if statusOf(results.At(i).Type()) {
			return true
		}
		if i < len(op.Results) && op.Results[i] != nil && isInteger(op.Results[i].Type()) && statusName(op.Results[i].Name()) {
			return true
		}
	}
	return false
}

// handsOutStatus says whether an operation fills a variable in with such an
// answer, or is handed one.
func (f *finder) handsOutStatus(op *Operation) bool {
	return slices.ContainsFunc(op.Call.Args, func(a ast.Expr) bool {
		t := f.info.TypeOf(a)
		return t != nil && !isContext(t) && statusOf(t)
	})
}

func statusName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "code") || strings.HasSuffix(name, "status")
}

// statusOf says whether a type holds a number that may be a status, or a code
// or error of whoever answered.
func statusOf(t types.Type) bool {
	if isError(t) {
		return false
	}
	for range 2 { // a pointer that an operation fills in may point to one
		t = deref(t)
	}
	tells := func(name string, t types.Type) bool {
		lower := strings.ToLower(name)
		return strings.HasSuffix(lower, "code") || strings.HasSuffix(lower, "err") || strings.HasSuffix(lower, "error") || strings.HasSuffix(lower, "errors") ||
			statusName(name) && isInteger(t)
	}
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		sig := m.Obj().Type().(*types.Signature)
		if sig.Params().Len() == 0 && sig.Results().Len() == 1 && tells(m.Obj().Name(), sig.Results().At(0).Type()) {
			return true
		}
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if tells(field.Name(), field.Type()) {
			return true
		}
	}
	return false
}

// defersFunc says whether a function literal is deferred in a body.
func defersFunc(body *ast.BlockStmt) (found bool) {
	inspectOwn(body, func(n ast.Node) {
		d, ok := n.(*ast.DeferStmt)
		if ok {
			_, isLit := ast.Unparen(d.Call.Fun).(*ast.FuncLit)
			found = found || isLit
		}
	})
	return found
}
