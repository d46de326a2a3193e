package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// A Growth says how a wait changes from one attempt to the next.
type Growth struct {
	Kind GrowthKind
	// Node is where it grows: the shift, the power, the multiplication.
	Node ast.Node
	// Counter is the variable by which it grows: the number of the attempt, or
	// the wait itself when each is made from the one before.
	Counter *types.Var
	// Capped says whether something limits it.
	Capped Truth
	// Jittered says whether randomness reaches it. It is Unknown when a part of
	// the computation could not be followed, or when JitterField decides.
	Jittered Truth
	// JitterField is a setting without which no randomness is added.
	JitterField *types.Var
	// Func is the function in which Node stands; nil when Extern computes it.
	Func *Func
	// Extern is the function of another package that computes it.
	Extern *types.Func
}

// GrowthKind is the law by which a wait grows.
type GrowthKind uint8

const (
	GrowthUnknown     GrowthKind = iota
	GrowthNone                   // the same number before each attempt
	GrowthLinear                 // by a multiple of the attempt's number
	GrowthExponential            // by doubling, shifting or a power
)

func (g GrowthKind) String() string {
	return [...]string{"unknown", "none", "linear", "exponential"}[g]
}

// A growthScan reads the computation of one duration.
type growthScan struct {
	f  *finder
	fn *Func
	// region is what runs once per attempt: the loop, or the body of a function
	// that is asked once per attempt.
	region ast.Node
	// counters grow by one with each attempt.
	counters map[*types.Var]bool
	depth    int

	seen    map[types.Object]bool
	grown   map[types.Object]bool // variables and fields that hold what grows
	out     Growth
	unknown bool // a part could not be followed
	handed  bool // a parameter decides, so that the caller may have added anything
	counted bool // a counter is used
}

func (f *finder) newGrowthScan(fn *Func, region ast.Node, counters ...*types.Var) *growthScan {
	s := &growthScan{f: f, fn: fn, region: region, counters: make(map[*types.Var]bool),
		seen: make(map[types.Object]bool), grown: make(map[types.Object]bool)}
	for _, c := range counters {
		if c != nil {
			s.counters[c] = true
		}
	}
	s.findCounters()
	return s
}

// findCounters adds the variables and fields that the region counts up by one.
func (s *growthScan) findCounters() {
	add := func(e ast.Expr) {
		if v := varOf(s.f.info, e); v != nil && isInteger(v.Type()) && !isDuration(v.Type()) {
			s.counters[v] = true
		}
	}
	inspectOwn(s.region, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if n.Tok == token.INC && s.innerLoop(n) == nil {
				add(n.X)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN && s.innerLoop(n) == nil {
				add(n.Lhs[0])
			}
		}
	})
	if r, ok := s.region.(*ast.RangeStmt); ok && r.Key != nil {
		if t := s.f.info.TypeOf(r.X); t != nil && isInteger(t) {
			add(r.Key)
		}
	}
}

// innerLoop is the loop within the region that contains n, nil if there is
// none. The post statement of the region itself is not within it.
func (s *growthScan) innerLoop(n ast.Node) (found ast.Node) {
	inspectOwn(s.region, func(m ast.Node) {
		switch m := m.(type) {
		case *ast.ForStmt:
			if m != s.region && m.Pos() <= n.Pos() && n.End() <= m.End() {
				found = m
			}
		case *ast.RangeStmt:
			if m != s.region && m.Pos() <= n.Pos() && n.End() <= m.End() {
				found = m
			}
		}
	})
	return found
}

func (s *growthScan) within(n ast.Node) bool {
	return s.region.Pos() <= n.Pos() && n.End() <= s.region.End()
}

// result sums up after the durations have been read.
func (s *growthScan) result() Growth {
	g := s.out
	if g.Kind == GrowthUnknown && !s.unknown {
		g.Kind = GrowthNone
		if s.counted {
			g.Kind = GrowthLinear
		}
	}
	if g.Jittered == Unknown && !s.unknown && (!s.handed || g.Kind == GrowthExponential || g.Kind == GrowthLinear) && g.JitterField == nil {
		g.Jittered = No
	}
	if g.Capped == Unknown && g.Kind == GrowthExponential && !s.unknown {
		g.Capped = No
		if s.limited() {
			g.Capped = Yes
		}
	}
	if g.Func == nil && g.Extern == nil {
		g.Func = s.fn
	}
	return g
}

func (s *growthScan) exponential(n ast.Node, by *types.Var) {
	if s.out.Kind < GrowthExponential {
		s.out.Kind, s.out.Node, s.out.Counter, s.out.Func = GrowthExponential, n, by, s.fn
	}
}

// expr reads one expression that the duration is made of and says whether a
// counter or a growing variable is in it.
func (s *growthScan) expr(e ast.Expr) (moves bool) {
	e = ast.Unparen(e)
	if tv, ok := s.f.info.Types[e]; ok && tv.Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.Ident:
		return s.variable(e)
	case *ast.SelectorExpr:
		return s.variable(e)
	case *ast.StarExpr:
		return s.expr(e.X)
	case *ast.UnaryExpr:
		return s.expr(e.X)
	case *ast.BinaryExpr:
		x, y := s.expr(e.X), s.expr(e.Y)
		switch {
		case e.Op == token.SHL && y:
			s.exponential(e, s.counterIn(e.Y))
		case e.Op == token.REM, e.Op == token.AND:
			s.out.Capped = Yes
		}
		return x || y
	case *ast.CallExpr:
		return s.call(e)
	case *ast.IndexExpr:
		if s.expr(e.Index) {
			s.out.Capped = Yes // a table has an end
		}
		return false
	}
	s.unknown = true
	return false
}

// counterIn is a counter that e mentions.
func (s *growthScan) counterIn(e ast.Expr) (found *types.Var) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if v := varOf(s.f.info, x); v != nil && (s.counters[v] || s.grown[v]) {
				found = v
			}
		}
		return found == nil
	})
	return found
}

// variable reads a variable or field.
func (s *growthScan) variable(e ast.Expr) (moves bool) {
	v := varOf(s.f.info, e)
	if v == nil {
		s.unknown = true
		return false
	}
	if s.counters[v] {
		s.counted = true
		return true
	}
	if s.seen[v] {
		return s.grown[v]
	}
	s.seen[v] = true
	vals := s.values(v)
	if len(vals) == 0 {
		if s.f.paramOf(s.fn, v) != nil {
			s.handed = true
		}
		return false
	}
	moves = false
	for _, a := range vals {
		if s.change(v, a) {
			moves = true
		}
	}
	if moves {
		s.grown[v] = true
	}
	return moves
}

// values lists what a variable is given in the function, or, for a field, in
// the region.
func (s *growthScan) values(v *types.Var) []assigned {
	if !v.IsField() {
		if isPackageLevel(v) {
			return nil
		}
		return s.f.valuesOf(s.fn, v)
	}
	var out []assigned
	inspectOwn(s.region, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if varOf(s.f.info, l) != v {
					continue
				}
				switch {
				case n.Tok != token.ASSIGN:
					out = append(out, assigned{nil, -1, n})
				case len(n.Rhs) == len(n.Lhs):
					out = append(out, assigned{n.Rhs[i], -1, n})
				default:
					out = append(out, assigned{n.Rhs[0], i, n})
				}
			}
		case *ast.IncDecStmt:
			if varOf(s.f.info, n.X) == v {
				out = append(out, assigned{nil, -1, n})
			}
		}
	})
	return out
}

// change reads one assignment to v.
func (s *growthScan) change(v *types.Var, a assigned) (moves bool) {
	again := s.within(a.node) && s.repeated(a.node)
	if a.expr == nil {
		n, ok := a.node.(*ast.AssignStmt)
		if !ok {
			if _, isRange := a.node.(*ast.RangeStmt); isRange && !s.counters[v] {
				s.unknown = true
			}
			return again
		}
		rhs := s.expr(n.Rhs[0])
		switch n.Tok {
		case token.MUL_ASSIGN, token.SHL_ASSIGN:
			if again && !s.isOne(n.Rhs[0]) {
				s.exponential(n, v)
				return true
			}
			if n.Tok == token.SHL_ASSIGN && rhs {
				s.exponential(n, s.counterIn(n.Rhs[0]))
			}
		case token.ADD_ASSIGN:
			if again && varOf(s.f.info, n.Rhs[0]) == v {
				s.exponential(n, v)
			}
			return again || rhs
		}
		return rhs
	}
	if a.index > 0 {
		s.unknown = true
		return false
	}
	if again && s.multiplies(a.expr, v) {
		s.exponential(a.expr, v)
		s.expr(a.expr)
		return true
	}
	return s.expr(a.expr)
}

// repeated says whether an assignment in the region builds on its own result:
// it does in a loop, and in a function that keeps state when it is no local
// variable, and also in an inner loop that a counter bounds.
func (s *growthScan) repeated(n ast.Node) bool {
	switch s.region.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
		inner := s.innerLoop(n)
		return inner == nil || s.bounds(inner)
	}
	if inner := s.innerLoop(n); inner != nil {
		return s.bounds(inner)
	}
	var lhs ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		lhs = n.Lhs[0]
	case *ast.IncDecStmt:
		lhs = n.X
	default:
		return false
	}
	v := varOf(s.f.info, lhs)
	return v != nil && (v.IsField() || v.Pos() < s.fn.Type().Pos() || v.Pos() > s.region.End())
}

// bounds says whether a counter is what bounds an inner loop.
func (s *growthScan) bounds(loop ast.Node) bool {
	switch l := loop.(type) {
	case *ast.ForStmt:
		return l.Cond != nil && s.counterIn(l.Cond) != nil
	case *ast.RangeStmt:
		return s.counterIn(l.X) != nil
	}
	return false
}

// multiplies says whether e is v times something.
func (s *growthScan) multiplies(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		x, y := s.mentions(e.X, v), s.mentions(e.Y, v)
		switch e.Op {
		case token.MUL:
			return x && !s.isOne(e.Y) || y && !s.isOne(e.X)
		case token.SHL:
			return x
		case token.ADD:
			return x && y || s.multiplies(e.X, v) || s.multiplies(e.Y, v)
		case token.QUO, token.SUB:
			return s.multiplies(e.X, v)
		}
	case *ast.CallExpr:
		if tv, ok := s.f.info.Types[e.Fun]; ok && tv.IsType() && len(e.Args) == 1 {
			return s.multiplies(e.Args[0], v)
		}
		if b, ok := typeutil.Callee(s.f.info, e).(*types.Builtin); ok && (b.Name() == "min" || b.Name() == "max") {
			for _, a := range e.Args {
				if s.multiplies(a, v) {
					return true
				}
			}
		}
	}
	return false
}

func (s *growthScan) mentions(e ast.Expr, v *types.Var) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && varOf(s.f.info, x) == v {
			found = true
		}
		return !found
	})
	return found
}

func (s *growthScan) isOne(e ast.Expr) bool {
	tv := s.f.info.Types[e]
	if tv.Value == nil {
		return false
	}
	f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
	return f <= 1
}

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
		s.unknown = true
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
	if len(call.Args) == 0 && callee.Signature().Recv() != nil && settingName(callee.Name()) {
		return false
	}
	switch path := pkgPath(callee); {
	case path == "math/rand" || path == "math/rand/v2" || path == "crypto/rand" || randomName(callee.Name()):
		s.out.Jittered = Yes
		args()
		return moves
	case path == "math":
		args()
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
	s.unknown = true
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
	sub.results()
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
	s.unknown = s.unknown || sub.unknown
	return moves || g.Kind > GrowthNone
}

// results reads what a function returns as its duration.
func (s *growthScan) results() {
	index, named := durationResult(s.f.info, s.fn)
	if index < 0 {
		s.unknown = true
		return
	}
	s.optionalJitter()
	naked := false
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		switch {
		case len(r.Results) == 0:
			naked = true
		case index < len(r.Results):
			s.expr(r.Results[index])
		default:
			s.unknown = true
		}
	})
	if naked && named != nil {
		s.variable(named)
	}
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
				found = found || p == "math/rand" || p == "math/rand/v2" || p == "crypto/rand" || randomName(c.Name())
			}
		}
		return !found
	})
	return found
}

// limited says whether a comparison keeps what grows within limits: one of a
// growing variable with anything but 0, or one of a counter whose outcome
// decides what the variable becomes.
func (s *growthScan) limited() (found bool) {
	_, isLoop := s.region.(*ast.BlockStmt)
	isLoop = !isLoop
	inspectOwn(s.fn.Body(), func(n ast.Node) {
		if found {
			return
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			found = s.limits(n.Cond, isLoop, n)
		case *ast.ForStmt:
			if n.Cond != nil && n != s.region {
				found = s.limits(n.Cond, true, n)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						found = found || s.limits(e, isLoop, n)
					}
				}
			} else if s.counterIn(n.Tag) != nil {
				found = true
			}
		}
	})
	return found
}

func (s *growthScan) limits(cond ast.Expr, inLoop bool, stmt ast.Node) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch b.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
		default:
			return !found
		}
		for _, side := range [2][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			v := s.growing(side[0])
			if v == nil || s.isOne(side[1]) {
				continue
			}
			switch {
			case s.grown[v] && !s.counters[v]:
				found = true
			case !inLoop:
				found = true
			case s.decides(stmt):
				found = true
			}
		}
		return !found
	})
	return found
}

// growing is a variable in e that grows.
func (s *growthScan) growing(e ast.Expr) *types.Var { return s.counterIn(e) }

// decides says whether what grows is assigned, or grows, under stmt.
func (s *growthScan) decides(stmt ast.Node) (found bool) {
	if n := s.out.Node; n != nil && s.out.Func == s.fn && stmt.Pos() <= n.Pos() && n.End() <= stmt.End() {
		if _, isFor := stmt.(*ast.ForStmt); !isFor {
			return true
		}
	}
	inspectOwn(stmt, func(n ast.Node) {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				if v := varOf(s.f.info, l); v != nil && s.grown[v] {
					if _, isFor := stmt.(*ast.ForStmt); !isFor {
						found = true
					}
				}
			}
		}
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

// varOf is the variable or field that an expression names; nil if it names
// none.
func varOf(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := info.ObjectOf(e.Sel).(*types.Var)
		return v
	case *ast.StarExpr:
		return varOf(info, e.X)
	}
	return nil
}

func isDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

func isNumber(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func pkgPath(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

func randomName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "jitter") || strings.Contains(name, "rand") || strings.Contains(name, "fuzz")
}
