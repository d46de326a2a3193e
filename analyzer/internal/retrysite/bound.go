package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"time"
)

// longestWaits computes how long the growing waits of the package's sites can
// become. It is done here, and not when a check asks, since checks run at the
// same time.
func (f *finder) longestWaits() {
	for _, s := range f.res.Sites {
		for _, w := range s.Waits {
			if s.Attempts.Kind != BoundConst || w.Duration == nil || w.Growth.Kind != GrowthExponential {
				continue
			}
			e := &waitEvaluator{f: f, s: s, w: w, n: float64(s.Attempts.Max)}
			v, ok := e.eval(w.Duration, 0)
			switch {
			case !ok:
			case v >= math.MaxInt64:
				w.Longest = math.MaxInt64
			default:
				w.Longest = time.Duration(v)
			}
		}
	}
}

// A waitEvaluator computes a wait before attempt n.
type waitEvaluator struct {
	f *finder
	s *Site
	w *Wait
	n float64
}

func (e *waitEvaluator) eval(x ast.Expr, depth int) (v float64, ok bool) {
	if depth > 8 {
		return 0, false
	}
	x = ast.Unparen(x)
	if tv := e.f.info.Types[x]; tv.Value != nil {
		v, _ = constant.Float64Val(constant.ToFloat(tv.Value))
		return v, true
	}
	switch x := x.(type) {
	case *ast.Ident:
		v := varOf(e.f.info, x)
		switch {
		case v == nil || v.IsField() || isPackageLevel(v):
			return 0, false
		case e.f.counterSet(e.s)[v]:
			return e.n, true
		case v == e.w.Growth.Counter:
			return e.carried(x, depth)
		}
		if val := e.f.singleValue(e.s.Func, v); val != nil {
			return e.eval(val, depth+1)
		}
	case *ast.BinaryExpr:
		a, okA := e.eval(x.X, depth+1)
		b, okB := e.eval(x.Y, depth+1)
		if !okA || !okB {
			return 0, false
		}
		switch x.Op {
		case token.ADD:
			return a + b, true
		case token.SUB:
			return a, true // an upper bound
		case token.MUL:
			return a * b, true
		case token.QUO:
			return a / max(b, 1), true
		case token.SHL:
			return a * math.Pow(2, b), true
		}
	case *ast.CallExpr:
		if tv := e.f.info.Types[x.Fun]; tv.IsType() && len(x.Args) == 1 {
			return e.eval(x.Args[0], depth+1)
		}
		if fullName(calleeOf(e.f.info, x)) == "math.Pow" {
			a, okA := e.eval(x.Args[0], depth+1)
			b, okB := e.eval(x.Args[1], depth+1)
			return math.Pow(a, b), okA && okB
		}
	}
	return 0, false
}

// carried evaluates a variable that is multiplied once per attempt.
func (e *waitEvaluator) carried(id *ast.Ident, depth int) (float64, bool) {
	v := varOf(e.f.info, id)
	start, factor := math.NaN(), math.NaN()
	for _, a := range e.f.valuesOf(e.s.Func, v) {
		switch n := a.node.(type) {
		case *ast.AssignStmt:
			if n == e.w.Growth.Node && len(n.Rhs) == 1 {
				switch k, ok := e.eval(n.Rhs[0], depth+1); {
				case ok && n.Tok == token.MUL_ASSIGN:
					factor = k
				case ok && n.Tok == token.SHL_ASSIGN:
					factor = math.Pow(2, k)
				case n.Tok == token.ADD_ASSIGN:
					factor = 2
				}
				continue
			}
			if b, ok := a.expr.(*ast.BinaryExpr); ok && ast.Node(b) == e.w.Growth.Node {
				for _, side := range []ast.Expr{b.X, b.Y} {
					if tv := e.f.info.Types[side]; tv.Value != nil && b.Op == token.MUL {
						factor, _ = constant.Float64Val(constant.ToFloat(tv.Value))
					}
				}
				continue
			}
		}
		if a.expr == nil {
			return 0, false
		}
		s, ok := e.eval(a.expr, depth+1)
		if !ok {
			return 0, false
		}
		if math.IsNaN(start) || s > start {
			start = s
		}
	}
	if math.IsNaN(start) || math.IsNaN(factor) {
		return 0, false
	}
	return start * math.Pow(factor, e.n), true
}
