package retrysite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Delayer is the fact that a function computes a wait which grows with each
// call or with its argument by doubling, shifting or a power.
type Delayer struct {
	// Uncapped says that nothing limits it.
	Uncapped bool
	// Random says whether randomness reaches it.
	Random Truth
	// RandomField is the exported field without which no randomness does.
	RandomField string
}

var _ analysis.Fact = (*Delayer)(nil)

// AFact marks a Delayer as a fact.
func (*Delayer) AFact() {}

// String is the fact as tests write it: delayer(uncapped, jitter by Jitter).
func (d *Delayer) String() string {
	var parts []string
	if d.Uncapped {
		parts = append(parts, "uncapped")
	}
	switch {
	case d.RandomField != "":
		parts = append(parts, "jitter by "+d.RandomField)
	case d.Random != Unknown:
		parts = append(parts, fmt.Sprintf("jitter=%s", d.Random))
	}
	return "delayer(" + strings.Join(parts, ", ") + ")"
}

// exportDelays exports a fact for each exported function that computes a wait
// which grows.
func (f *finder) exportDelays() {
	if !imports(f.pass.Pkg, "time") {
		return
	}
	f.delays()
	for _, d := range f.res.Delays {
		if d.Func.Obj == nil || !d.Func.Obj.Exported() || d.Growth.Kind != GrowthExponential {
			continue
		}
		fact := &Delayer{Uncapped: d.Growth.Capped == No, Random: d.Growth.Jittered}
		if v := d.Growth.JitterField; v != nil {
			if !v.Exported() {
				fact.Random = Unknown
			} else {
				fact.Random, fact.RandomField = Unknown, v.Name()
			}
		}
		f.pass.ExportObjectFact(d.Func.Obj, fact)
	}
}

// extern reads a call of a function of another package that is known to
// compute a growing wait; not ok if it is not.
func (s *growthScan) extern(callee *types.Func, call *ast.CallExpr) (ok bool) {
	var d Delayer
	if s.f.facts == nil || callee.Pkg() == s.f.pass.Pkg || !s.f.facts(callee.Origin(), &d) {
		return false
	}
	if s.out.Kind < GrowthExponential {
		s.out.Kind, s.out.Node, s.out.Extern = GrowthExponential, call, callee
	}
	if !d.Uncapped {
		s.out.Capped = Yes
	}
	switch {
	case d.RandomField == "" && d.Random == Yes:
		s.out.Jittered = Yes
	case d.RandomField == "" && d.Random == Unknown, d.RandomField != "" && !s.leavesUnset(call, d.RandomField):
		s.unknown = true
	}
	return true
}

// leavesUnset says whether the receiver of a call is a local variable made by
// a literal that doesn't set a field, which nothing sets later.
func (s *growthScan) leavesUnset(call *ast.CallExpr, field string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v := varOf(s.f.info, sel.X)
	if v == nil || v.IsField() || isPackageLevel(v) || s.f.setsField(s.fn, v, field) {
		return false
	}
	e := s.f.singleValue(s.fn, v)
	if u, isAddr := e.(*ast.UnaryExpr); isAddr && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
			return false
		}
	}
	return true
}

// picksOne says whether a function of any package gives back one of its arguments
// by its name and type: Max(a, b time.Duration) time.Duration, or variadic.
func picksOne(fn *types.Func) (smallest, ok bool) {
	sig := fn.Signature()
	if sig.Results().Len() != 1 || sig.Params().Len() != 2 && !sig.Variadic() {
		return false, false
	}
	t := sig.Results().At(0).Type()
	for p := range sig.Params().Variables() {
		list, isList := p.Type().(*types.Slice)
		if !types.Identical(p.Type(), t) && !(sig.Variadic() && isList && types.Identical(list.Elem(), t)) {
			return false, false
		}
	}
	switch strings.ToLower(fn.Name()) {
	case "min":
		return true, true
	case "max":
		return false, true
	}
	return false, false
}
