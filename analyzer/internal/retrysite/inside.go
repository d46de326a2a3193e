package retrysite

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// An Inside is the fact that a function retries by itself, with a wait, and
// returns the error when it gives up: whoever retries it multiplies attempts.
type Inside struct {
	// Attempts is the number of attempts in all, 0 if it is not a constant.
	Attempts int64
	// Counted says that the number of attempts is limited.
	Counted bool
	// Op is how messages call what is retried.
	Op string
}

// AFact marks an Inside as a fact.
func (*Inside) AFact() {}

// String is the fact as tests write it: inside(http.Get, attempts=3).
func (i *Inside) String() string {
	switch {
	case i.Attempts > 0:
		return fmt.Sprintf("inside(%s, attempts=%d)", i.Op, i.Attempts)
	case i.Counted:
		return fmt.Sprintf("inside(%s, counted)", i.Op)
	}
	return fmt.Sprintf("inside(%s)", i.Op)
}

// bound is the limit that the fact speaks of.
func (i *Inside) bound() Attempts {
	switch {
	case i.Attempts > 0:
		return Attempts{Kind: BoundConst, Max: i.Attempts}
	case i.Counted:
		return Attempts{Kind: BoundVar}
	}
	return Attempts{Kind: BoundUnknown}
}

// exportInside exports a fact for each function that other packages can call
// and that retries by itself, or returns the error of one that does.
func (f *finder) exportInside() {
	own := make(map[*Func]*Inside)
	for _, fn := range f.decls {
		if fn.Obj == nil || fn.Body() == nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] || forTests(f.info, fn) {
			continue
		}
		if i, _ := f.errorResult(fn); i >= 0 {
			if in := f.insideOf(fn); in != nil {
				own[fn] = in
			}
		}
	}
	n := &nester{f: f}
	for changed, rounds := true, 0; changed && rounds < 3; rounds++ {
		changed = false
		for _, fn := range f.decls {
			if fn.Obj == nil || fn.Body() == nil || own[fn] != nil || f.skip[f.pass.Fset.File(fn.Body().Pos())] || forTests(f.info, fn) {
				continue
			}
			for _, call := range fn.calls {
				callee := calleeOf(f.info, call)
				if callee == nil || callee.Pkg() == nil {
					continue
				}
				in := f.inside(callee)
				if in == nil {
					in = f.clientInside(call)
				}
				if target := f.res.FuncOf(callee); target != nil {
					in = own[target]
				}
				if in != nil && errorIndex(f.info, call) >= 0 && n.returned(fn, call) {
					own[fn], changed = in, true
					break
				}
			}
		}
	}
	for fn, in := range own {
		if fn.Obj.Exported() {
			f.pass.ExportObjectFact(fn.Obj, in)
		}
	}
}

// insideOf is what a function's own sites make of it. It is asked of every
// function of every dependency, so that only those are searched in which
// something waits or a retry library is called.
func (f *finder) insideOf(fn *Func) *Inside {
	loops, waits, library, wrapper := fn.loop.IsValid(), false, false, false
	for _, call := range fn.calls {
		callee := calleeOf(f.info, call)
		if callee == nil || callee.Pkg() == nil {
			continue
		}
		if e := retrylib.Lookup(callee); e != nil {
			library = library || e.Kind == retrylib.KindClosure
			waits = waits || e.Kind == retrylib.KindIterator || e.Kind == retrylib.KindPause
		}
		switch callee.Pkg().Path() {
		case "time":
			switch callee.Name() {
			case "Sleep", "After", "NewTimer":
				waits = true
			}
		default:
			waits = waits || f.sleeper(callee) != nil
			wrapper = wrapper || takesFunc(callee.Signature()) && f.retrier(callee) != nil
		}
	}
	if !(loops && waits) && !library && !wrapper {
		return nil
	}
	before := len(f.res.Sites)
	if loops && waits {
		f.searchLoops(fn)
	}
	if library {
		if f.libs == nil {
			f.libs = retrylib.NewScope(f.info, f.pass.Files)
		}
		f.searchLibraries(fn)
	}
	if wrapper {
		inspectOwn(fn.Body(), func(m ast.Node) {
			if call, ok := m.(*ast.CallExpr); ok {
				if s := f.wrapperSite(fn, call); s != nil {
					f.res.Sites = append(f.res.Sites, s)
				}
			}
		})
	}
	n := &nester{f: f}
	for _, s := range f.res.Sites[before:] {
		if s.Shape != ShapeRetry || s.Func != fn || runsParam(s) || s.Op().Reach != ReachRemote || !n.leaves(fn, s) {
			continue
		}
		if s.Kind == KindLoop && len(s.Waits) == 0 || s.Attempts.Kind == BoundConst && s.Attempts.Max < 2 {
			continue
		}
		in := &Inside{Attempts: s.Attempts.Max, Counted: s.Attempts.Bounded(), Op: s.Op().Name}
		if len(in.Op) > 60 {
			in.Op = "a call"
		}
		return in
	}
	return nil
}

// leaves says whether the failure of a site is what its function returns.
func (n *nester) leaves(fn *Func, s *Site) bool {
	call, ok := s.Node.(*ast.CallExpr)
	return !ok || n.returned(fn, call)
}

// inside is the fact of a function of another package, nil if it has none.
func (f *finder) inside(callee *types.Func) *Inside {
	var in Inside
	if callee == nil || callee.Pkg() == f.pass.Pkg || f.facts == nil || !f.facts(callee.Origin(), &in) {
		return nil
	}
	return &in
}

// clientInside is what is known of a call of a library's client that retries by
// itself, nil if it is none, or if nothing says how often it does: it may have
// been told not to.
func (f *finder) clientInside(call *ast.CallExpr) *Inside {
	callee := calleeOf(f.info, call)
	if callee == nil || !retrylib.Imports(f.pass.Pkg) {
		return nil
	}
	var client ast.Expr = call
	if pkgPath(callee) == "net/http" && callee.Signature().Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		client = sel.X // it may be made by such a library
	} else if e := retrylib.Lookup(callee); e == nil || e.Kind != retrylib.KindClient {
		return nil
	}
	if f.libs == nil {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
	}
	switch a := f.libs.PolicyOf(client).Attempts; {
	case a.State == retrylib.StateConst && a.N > 1:
		return &Inside{Attempts: a.N, Counted: true, Op: "its own retries"}
	case a.State == retrylib.StateNone:
		return &Inside{Op: "its own retries"}
	}
	return nil
}
