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
	// Wraps says that it overflows before it is limited.
	Wraps bool
	// Sums says that each is the sum of the two before.
	Sums bool
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
	open    bool // one that could not be followed may limit the whole
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
		case *ast.CallExpr:
			if v := s.addsAtomically(n); v != nil && s.innerLoop(n) == nil {
				s.counters[v] = true
			}
		}
	})
	if r, ok := s.region.(*ast.RangeStmt); ok && r.Key != nil {
		if t := s.f.info.TypeOf(r.X); t != nil && isInteger(t) {
			add(r.Key)
		}
	}
}

// addsAtomically is the variable or field that a call of sync/atomic adds to; nil
// for other calls.
func (s *growthScan) addsAtomically(call *ast.CallExpr) *types.Var {
	callee := calleeOf(s.f.info, call)
	if callee == nil || pkgPath(callee) != "sync/atomic" || !strings.HasPrefix(callee.Name(), "Add") {
		return nil
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && callee.Signature().Recv() != nil {
		return varOf(s.f.info, sel.X)
	}
	if u, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return varOf(s.f.info, u.X)
	}
	return nil
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
	if g.Capped == Unknown && g.Kind == GrowthExponential && !s.open {
		g.Capped = No
		if s.limited() {
			g.Capped = Yes
		}
	}
	if g.Func == nil && g.Extern == nil {
		g.Func = s.fn
	}
	g.Wraps = g.Kind == GrowthExponential && g.Capped == Yes && g.Func == s.fn && s.wraps()
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
		x, y := s.sides(e)
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
	s.lose()
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
		s.lose()
		return false
	}
	if s.counters[v] {
		s.counted = true
		return true
	}
	if s.seen[v] {
		return s.grown[v]
	}
	if s.answered(e) {
		s.lose()
		return false
	}
	s.seen[v] = true
	vals := s.values(v)
	if len(vals) == 0 {
		if s.f.paramOf(s.fn, v) != nil {
			s.handed = true
		}
		return false
	}
	var each alternatives
	for _, a := range vals {
		each.read(s, a.expr != nil && s.mentions(a.expr, v), func() bool { return s.change(v, a) })
	}
	if moves = each.end(s); moves {
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
		if !isPointer(v.Type()) {
			return s.f.valuesOf(s.fn, v)
		}
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
				s.lose()
			}
			return again
		}
		open := s.open
		rhs := s.expr(n.Rhs[0])
		if n.Tok == token.ADD_ASSIGN && !rhs {
			s.open = open // what is added limits nothing
		}
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
			s.counted = s.counted || again // by as much each time
			return again || rhs
		}
		return rhs
	}
	if a.index > 0 {
		s.lose()
		return false
	}
	if again && s.multiplies(a.expr, v) {
		s.exponential(a.expr, v)
		s.expr(a.expr)
		return true
	}
	if again && s.sums(v, a.expr) {
		s.exponential(a.node, v)
		s.out.Sums = true
		s.expr(a.expr)
		return true
	}
	s.counted = s.counted || again && adds(s, a.expr, v)
	return s.expr(a.expr)
}

// adds says whether e is v and something more.
func adds(s *growthScan, e ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && b.Op == token.ADD && (varOf(s.f.info, b.X) == v || varOf(s.f.info, b.Y) == v)
}

// repeated says whether an assignment in the region builds on its own result:
// it does in a loop, and in a function that keeps state when it is no local
// variable, and also in an inner loop that a counter bounds.
func (s *growthScan) repeated(n ast.Node) bool {
	switch s.region.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
		if inner := s.innerLoop(n); inner != nil {
			return s.bounds(inner)
		}
		return !s.anew(n)
	}
	if inner := s.innerLoop(n); inner != nil {
		return s.bounds(inner)
	}
	v := varOf(s.f.info, target(n))
	return v != nil && (v.IsField() || isPointer(v.Type()) || v.Pos() < s.fn.Type().Pos() || v.Pos() > s.region.End())
}

// anew says whether what an assignment sets is a variable of each round of the
// region, which knows nothing of the last one.
func (s *growthScan) anew(n ast.Node) bool {
	loop := s.region
	if l, ok := loop.(*ast.LabeledStmt); ok {
		loop = l.Stmt
	}
	body := loopBody(loop)
	v := varOf(s.f.info, target(n))
	return body != nil && v != nil && !v.IsField() && body.Pos() <= v.Pos() && v.Pos() < body.End()
}

// target is the first of what an assignment sets, nil for other nodes.
func target(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs[0]
	case *ast.IncDecStmt:
		return n.X
	}
	return nil
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
