package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// call reads a call in the computation.
func (s *growthScan) call(call *ast.CallExpr) (moves bool) {
	args := func() {
		for _, a := range call.Args {
			moves = s.expr(a) || moves
		}
	}
	if tv, ok := s.f.info.Types[call.Fun]; ok && tv.IsType() {
		args()
		return moves
	}
	if b, ok := typeutil.Callee(s.f.info, call).(*types.Builtin); ok {
		args()
		if b.Name() == "min" {
			s.out.Capped = Yes
		}
		return moves
	}
	callee := calleeOf(s.f.info, call)
	if callee == nil {
		if fn := s.defaultFunc(call.Fun); fn != nil && s.depth < 3 {
			return s.helper(fn, call)
		}
		s.lose()
		return false
	}
	if smallest, ok := picksOne(callee); ok && pkgPath(callee) != "math" {
		args()
		if smallest {
			s.out.Capped = Yes
		}
		return moves
	}
	if s.extern(callee, call) {
		return true
	}
	if p, ok := s.f.askedPolicy(call); ok {
		return s.asked(p, call)
	}
	if len(call.Args) == 0 && callee.Signature().Recv() != nil && settingName(callee.Name()) {
		return false
	}
	if s.addsAtomically(call) != nil {
		s.counted = true
		return true
	}
	switch path := pkgPath(callee); {
	case path == "math/rand" || path == "math/rand/v2" || path == "crypto/rand" || NamesRandomness(callee.Name()):
		s.out.Jittered = Yes
		args()
		return moves
	case path == "math":
		before := s.open
		args()
		if callee.Name() == "Pow" && !before && len(call.Args) == 2 && s.moving(call.Args[1]) {
			s.open = s.opens(call.Args[1]) // the base limits nothing
		}
		switch callee.Name() {
		case "Pow":
			if len(call.Args) == 2 && s.moving(call.Args[1]) {
				s.exponential(call, s.counterIn(call.Args[1]))
			}
		case "Exp", "Exp2":
			if moves {
				s.exponential(call, s.counterIn(call.Args[0]))
			}
		case "Min":
			s.out.Capped = Yes
		}
		return moves
	case path == "time":
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && s.f.info.Selections[sel] != nil {
			return s.expr(sel.X) // d.Milliseconds() and the like
		}
	}
	if fn := s.f.res.funcs[callee.Origin()]; fn != nil && fn.Body() != nil && s.depth < 3 {
		return s.helper(fn, call)
	}
	s.lose()
	args()
	return moves
}

// defaultFunc is the function that a field of a local variable holds unless an
// option changes it: the value in the literal with which the variable is made.
func (s *growthScan) defaultFunc(fun ast.Expr) *Func {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		if id, ok := ast.Unparen(fun).(*ast.Ident); ok {
			if v, ok := s.f.info.ObjectOf(id).(*types.Var); ok {
				return s.f.literalOf(s.fn, v)
			}
		}
		return nil
	}
	v, _ := objectOf(s.f.info, sel.X).(*types.Var)
	field := varOf(s.f.info, sel)
	if v == nil || field == nil || v.IsField() {
		return nil
	}
	vals := s.f.valuesOf(s.fn, v)
	if len(vals) != 1 || vals[0].expr == nil {
		return nil
	}
	e := ast.Unparen(vals[0].expr)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if id, ok := kv.Key.(*ast.Ident); !ok || s.f.info.ObjectOf(id) != field {
			continue
		}
		switch x := ast.Unparen(kv.Value).(type) {
		case *ast.FuncLit:
			return s.f.lits[x]
		case *ast.Ident:
			fn, _ := s.f.info.ObjectOf(x).(*types.Func)
			return s.f.res.FuncOf(fn)
		}
	}
	return nil
}

// settingName says whether a method without parameters is named like the
// getter of a setting.
func settingName(name string) bool {
	n := strings.ToLower(name)
	for _, s := range []string{"next", "backoff", "back_off", "rand", "jitter"} {
		if strings.Contains(n, s) {
			return false
		}
	}
	for _, s := range []string{"interval", "delay", "period", "base", "initial", "min", "max", "timeout"} {
		if strings.Contains(n, s) {
			return true
		}
	}
	return false
}

// moving says whether e, which has been read, holds a counter or something
// that grows.
func (s *growthScan) moving(e ast.Expr) bool { return s.counterIn(e) != nil }

// helper reads a function of the package that computes the duration or a part
// of it.
func (s *growthScan) helper(fn *Func, call *ast.CallExpr) (moves bool) {
	before := s.out.Node
	moves = s.inHelper(fn, call, (*growthScan).results)
	if i, _ := durationResult(s.f.info, fn); i < 0 && s.out.Node != before {
		// It computes a number, and what asks for it makes a wait of that.
		s.out.Node, s.out.Func = call, s.fn
	}
	return moves
}

// madeInHelper reads the duration of a pause that a call makes in a function of the
// package.
func (s *growthScan) madeInHelper(p *pause, call *ast.CallExpr) {
	s.inHelper(p.fn, call, func(sub *growthScan) {
		switch {
		case p.duration != nil:
			sub.expr(p.duration)
		case p.inner != nil && sub.depth < 3:
			sub.madeInHelper(p.inner, p.call)
		default:
			sub.lose()
		}
	})
}

// inHelper reads what the call of a function of the package computes.
func (s *growthScan) inHelper(fn *Func, call *ast.CallExpr, read func(sub *growthScan)) (moves bool) {
	var counters []*types.Var
	i := 0
	for _, field := range fn.Type().Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) && isNumber(s.f.info.TypeOf(call.Args[i])) && s.expr(call.Args[i]) {
				moves = true
				if v, ok := s.f.info.Defs[name].(*types.Var); ok {
					counters = append(counters, v)
				}
			}
			i++
		}
	}
	sub := s.f.newGrowthScan(fn, fn.Body(), counters...)
	sub.depth = s.depth + 1
	for c := range s.counters {
		if c.IsField() {
			sub.counters[c] = true
		}
	}
	read(sub)
	g := sub.result()
	if g.Kind > s.out.Kind {
		s.out.Kind, s.out.Node, s.out.Counter, s.out.Func = g.Kind, g.Node, g.Counter, fn
	}
	if g.Jittered == Yes {
		s.out.Jittered = Yes
	}
	if g.Capped == Yes {
		s.out.Capped = Yes
	}
	if g.JitterField != nil {
		s.out.JitterField = g.JitterField
	}
	s.unknown, s.open = s.unknown || sub.unknown, s.open || sub.open
	return moves || g.Kind > GrowthNone
}

// results reads what a function returns as its duration.
func (s *growthScan) results() {
	index, named := durationResult(s.f.info, s.fn)
	if index < 0 && s.depth > 0 {
		index, named = numberResult(s.f.info, s.fn)
	}
	if index < 0 {
		s.lose()
		return
	}
	s.optionalJitter()
	naked := false
	var each alternatives
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		switch {
		case len(r.Results) == 0:
			naked = true
		case index < len(r.Results):
			each.read(s, false, func() bool { return s.expr(r.Results[index]) })
		default:
			s.lose()
		}
	})
	if naked && named != nil {
		each.read(s, false, func() bool { return s.variable(named) })
	}
	each.end(s)
}

// optionalJitter finds randomness that a setting switches on.
func (s *growthScan) optionalJitter() {
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		i, ok := n.(*ast.IfStmt)
		if !ok || !s.random(i.Body) {
			return
		}
		ast.Inspect(i.Cond, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if v := varOf(s.f.info, e); v != nil && v.IsField() && s.out.JitterField == nil {
					s.out.JitterField = v
				}
			}
			return true
		})
	})
}

func (s *growthScan) random(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if c := calleeOf(s.f.info, call); c != nil {
				p := pkgPath(c)
				found = found || p == "math/rand" || p == "math/rand/v2" || p == "crypto/rand" || NamesRandomness(c.Name())
			}
		}
		return !found
	})
	return found
}

// durationResult is the index of the one time.Duration among a function's
// results, -1 if there is none, with its name if it has one.
func durationResult(info *types.Info, fn *Func) (index int, name *ast.Ident) {
	index = -1
	if fn.Type().Results == nil {
		return -1, nil
	}
	i := 0
	for _, field := range fn.Type().Results.List {
		n := max(len(field.Names), 1)
		if isDuration(info.TypeOf(field.Type)) {
			if index >= 0 || n > 1 {
				return -1, nil
			}
			index = i
			if len(field.Names) == 1 {
				name = field.Names[0]
			}
		}
		i += n
	}
	return index, name
}

// numberResult is 0, and the result's name if it has one, for a function whose
// only result is a number; -1 for others.
func numberResult(info *types.Info, fn *Func) (index int, name *ast.Ident) {
	r := fn.Type().Results
	if r == nil || len(r.List) != 1 || len(r.List[0].Names) > 1 || !isNumber(info.TypeOf(r.List[0].Type)) {
		return -1, nil
	}
	if len(r.List[0].Names) == 1 {
		name = r.List[0].Names[0]
	}
	return 0, name
}

func pkgPath(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

// otherWords are words that only look as if they spoke of randomness.
var otherWords = strings.NewReplacer("brand", "", "grand", "", "strand", "", "errand", "", "operand", "")

// NamesRandomness says whether a name, or the path of a package, speaks of
// randomness.
func NamesRandomness(name string) bool {
	name = otherWords.Replace(strings.ToLower(name))
	return strings.Contains(name, "jitter") || strings.Contains(name, "rand") || strings.Contains(name, "fuzz")
}
