package retrysite

import (
	"go/ast"
	"go/types"
)

// A Delay is a function of the package that computes how long to wait before
// the next attempt: it returns a time.Duration that grows with its integer
// parameter or with what it keeps in its receiver.
type Delay struct {
	Func *Func
	// Name is how messages call it: "BackOffDelay", "(*Backoff).Duration", or
	// the name of the function that returns the literal.
	Name   string
	Growth Growth
	// Named says that its name, its type, its parameter or its package speaks
	// of retries or of backing off.
	Named bool
	// Sites are the sites of the package that wait for as long as it says.
	Sites []*Site
}

var backoffName = Matcher(`(?i)back_?off|retr(y|ies)|reconnect|attempt|tries`)

// delays finds the delay functions of the package.
func (f *finder) delays() {
	for _, fn := range f.decls {
		if fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] {
			continue
		}
		if i, _ := durationResult(f.info, fn); i < 0 {
			continue
		}
		counters := f.integerParams(fn)
		s := f.newGrowthScan(fn, fn.Body(), counters...)
		s.results()
		g := s.result()
		if g.Kind != GrowthExponential && g.Kind != GrowthLinear || g.Func != fn {
			continue
		}
		f.res.Delays = append(f.res.Delays, &Delay{Func: fn, Name: delayName(fn), Growth: g, Named: f.namedForRetry(fn, counters)})
	}
}

func (f *finder) integerParams(fn *Func) (out []*types.Var) {
	for _, field := range fn.Type().Params.List {
		for _, name := range field.Names {
			if v, ok := f.info.Defs[name].(*types.Var); ok && isInteger(v.Type()) && !isDuration(v.Type()) {
				out = append(out, v)
			}
		}
	}
	return out
}

func delayName(fn *Func) string {
	d := fn.Declaration()
	if d == nil {
		return fn.Name()
	}
	if d.Recv != nil && len(d.Recv.List) == 1 {
		return "(" + types.ExprString(d.Recv.List[0].Type) + ")." + d.Name.Name
	}
	return d.Name.Name
}

func (f *finder) namedForRetry(fn *Func, params []*types.Var) bool {
	if backoffName(f.pass.Pkg.Name()) || backoffName(delayName(fn)) {
		return true
	}
	for _, p := range params {
		if backoffName(p.Name()) {
			return true
		}
	}
	return false
}

// DelayOf is the delay function that is declared as obj, nil if there is none.
func (r *Result) DelayOf(obj *types.Func) *Delay {
	fn := r.FuncOf(obj)
	if fn == nil {
		return nil
	}
	for _, d := range r.Delays {
		if d.Func == fn {
			return d
		}
	}
	return nil
}

// delaySites notes which sites wait for as long as a delay function says.
func (f *finder) delaySites() {
	for _, s := range f.res.Sites {
		for _, w := range s.Waits {
			if w.Duration == nil {
				continue
			}
			ast.Inspect(w.Duration, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if d := f.res.DelayOf(calleeOf(f.info, call)); d != nil {
						d.Sites = append(d.Sites, s)
					}
				}
				return true
			})
		}
	}
}
