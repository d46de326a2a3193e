package fate

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// maxDepth bounds how far functions that are asked are followed.
const maxDepth = 2

// asked is what a function of the package answers that is told the outcome, or a
// part of it: shouldRetry(resp.StatusCode). An answer is not known if something
// that has nothing to do with the outcome decides, such as a counter; not ok if
// the function can't be followed.
func (m *mind) asked(call *ast.CallExpr, st state) (answers []value, ok bool) {
	callee := typeutil.StaticCallee(m.info, call)
	fn := m.site.Source(callee)
	if fn == nil || fn.Body() == nil || fn.Type().Results == nil || m.depth >= maxDepth || call.Ellipsis.IsValid() {
		return nil, false
	}
	known, told := make(state), false
	tell := func(p *ast.Ident, e ast.Expr) bool {
		v := m.value(e, st)
		if v.kind == valueTainted {
			return false
		}
		told = told || m.related(e, st)
		if p, isVar := m.info.Defs[p].(*types.Var); isVar {
			known[p] = v
		}
		return true
	}
	var params []*ast.Ident
	for _, field := range fn.Type().Params.List {
		params = append(params, field.Names...)
	}
	if len(params) != len(call.Args) {
		return nil, false
	}
	for i, arg := range call.Args {
		if !tell(params[i], arg) {
			return nil, false
		}
	}
	if sel, isSelector := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSelector && fn.Recv() != nil && len(fn.Recv().List[0].Names) == 1 {
		if !tell(fn.Recv().List[0].Names[0], sel.X) {
			return nil, false
		}
	}
	if !told {
		return nil, false
	}
	inner := &mind{info: m.info, site: m.site, call: m.call, results: m.results, depth: m.depth + 1, answers: true}
	for i, w := range inner.block(fn.Body().List, known) {
		switch {
		case w.end != endLeaves || w.doubt || slices.ContainsFunc(w.answers, func(v value) bool { return v.kind == valueTainted }):
			return nil, false
		case i == 0:
			answers = w.answers
			continue
		case len(answers) != len(w.answers):
			return nil, false
		}
		for j := range answers {
			if answers[j] != w.answers[j] {
				answers[j] = value{} // whatever decided, it was not the outcome
			}
		}
	}
	for i := range answers {
		if k := answers[i].kind; k == valueInt || k == valueBool {
			answers[i].outcome = true
		}
	}
	return answers, len(answers) > 0
}

// answer is asked for a function with one result.
func (m *mind) answer(call *ast.CallExpr, st state) (v value, ok bool) {
	if c, ok := m.listed(call, st); ok {
		v := c.value()
		v.outcome = true
		return v, true
	}
	answers, ok := m.asked(call, st)
	if !ok || len(answers) != 1 {
		return value{}, false
	}
	return answers[0], true
}

func isBool(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
