package fate

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// maxDepth bounds how far functions that are asked are followed.
const maxDepth = 2

// asked is what a function of the package answers with a bool that is told the
// outcome, or a part of it: shouldRetry(resp.StatusCode). It is neutral if
// something that has nothing to do with the outcome decides, such as a counter;
// not ok if the function can't be followed.
func (m *mind) asked(call *ast.CallExpr, st state) (c cond, ok bool) {
	fn := m.site.Source(typeutil.StaticCallee(m.info, call))
	if fn == nil || fn.Body() == nil || m.depth >= maxDepth || call.Ellipsis.IsValid() || !answersBool(m.info, call) {
		return condNeutral, false
	}
	var params []*ast.Ident
	for _, field := range fn.Type().Params.List {
		params = append(params, field.Names...)
	}
	if len(params) != len(call.Args) {
		return condNeutral, false
	}
	known, told := make(state), false
	for i, arg := range call.Args {
		v := m.value(arg, st)
		if v.kind == valueTainted {
			return condNeutral, false
		}
		told = told || m.related(arg, st)
		if p, isVar := m.info.Defs[params[i]].(*types.Var); isVar {
			known[p] = v
		}
	}
	if !told {
		return condNeutral, false
	}
	inner := &mind{info: m.info, site: m.site, call: m.call, results: m.results, depth: m.depth + 1, answers: true}
	answers := make(map[cond]bool)
	for _, w := range inner.block(fn.Body().List, known) {
		if w.end != endLeaves || w.doubt || w.answer == condTainted {
			return condNeutral, false
		}
		answers[w.answer] = true
	}
	if len(answers) == 1 {
		for c := range answers {
			return c, true
		}
	}
	return condNeutral, len(answers) > 0
}

func answersBool(info *types.Info, call *ast.CallExpr) bool {
	t := info.TypeOf(call)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}
