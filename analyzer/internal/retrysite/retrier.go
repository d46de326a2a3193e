package retrysite

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// exportRetriers exports a fact for each function that retries one of its
// parameters, whether a loop, a library or another retrier of the package does
// it, and for those that say so in a directive.
func (f *finder) exportRetriers() {
	var takers []*Func // functions that are given something to run
	for _, fn := range f.decls {
		if fn.Obj == nil || fn.Body() == nil {
			continue
		}
		if r := directive(fn.Decl); r != nil {
			f.retriers[fn.Obj] = r
		} else if takesFunc(fn.Obj.Signature()) {
			takers = append(takers, fn)
		}
	}
	if len(takers) == 0 && len(f.retriers) == 0 {
		return
	}
	for _, fn := range takers {
		for _, inner := range f.within(fn) {
			f.searchLoops(inner)
		}
	}
	if retrylib.Imports(f.pass.Pkg) {
		f.libs = retrylib.NewScope(f.info, f.pass.Files)
		for _, fn := range takers {
			for _, inner := range f.within(fn) {
				f.searchLibraries(inner)
			}
		}
	}
	f.addRetriers(f.res.Sites)
	f.addConditioners(f.res.Others)
	// Retriers of retriers.
	for range 3 {
		before := len(f.retriers)
		for _, fn := range takers {
			if f.retriers[fn.Obj] != nil {
				continue
			}
			for _, inner := range f.within(fn) {
				inspectOwn(inner.Body(), func(n ast.Node) {
					if call, ok := n.(*ast.CallExpr); ok {
						if s := f.wrapperSite(inner, call); s != nil {
							f.addRetriers([]*Site{s})
						}
					}
				})
			}
		}
		if len(f.retriers) == before {
			break
		}
	}
	for obj, r := range f.retriers {
		f.pass.ExportObjectFact(obj, r)
	}
}

// within lists fn and the literals in it.
func (f *finder) within(fn *Func) []*Func {
	list := []*Func{fn}
	for _, g := range f.decls {
		if g.Lit != nil && g.Declaration() == fn.Decl {
			list = append(list, g)
		}
	}
	return list
}

// addRetriers notes the functions that one of the sites makes retriers.
func (f *finder) addRetriers(sites []*Site) {
	for _, s := range sites {
		d := s.Func.Declaration()
		if d == nil || s.Shape != ShapeRetry {
			continue
		}
		obj, _ := f.info.Defs[d.Name].(*types.Func)
		for _, op := range s.Ops {
			if obj == nil || op.Param == nil || op.ParamIndex < 0 || f.retriers[obj] != nil {
				continue
			}
			f.retriers[obj] = f.retrierOf(s, op)
		}
	}
}

// retrierOf is the fact that a site makes of its function.
func (f *finder) retrierOf(s *Site, op *Operation) *Retrier {
	return &Retrier{
		Closure:  op.ParamIndex,
		Attempts: s.Attempts.Max,
		Counted:  s.Attempts.Bounded(),
		Timed:    s.Time.Kind >= BoundConst && s.Time.How != TimeCaller || s.policyExit,
		Jittered: slices.ContainsFunc(s.Waits, func(w *Wait) bool { return w.Jittered == Yes }),
		Inspects: s.Inspected(),
		Follows:  s.Interruptible(),
	}
}

// addConditioners notes the functions that run a condition again until it
// answers true or an error. They retry what the condition swallows.
func (f *finder) addConditioners(polls []*Site) {
	for _, s := range polls {
		d := s.Func.Declaration()
		op := s.Op()
		if d == nil || s.Shape != ShapePoll || op.Param == nil || op.ParamIndex < 0 || !answersBool(op.Param.Type()) {
			continue
		}
		if obj, _ := f.info.Defs[d.Name].(*types.Func); obj != nil && f.retriers[obj] == nil {
			r := f.retrierOf(s, op)
			r.Condition = true
			f.retriers[obj] = r
		}
	}
}

// retrier is what is known of a function as a retrier, nil if it is none.
func (f *finder) retrier(callee *types.Func) *Retrier {
	if callee == nil {
		return nil
	}
	callee = callee.Origin()
	if r := f.retriers[callee]; r != nil {
		return r
	}
	var r Retrier
	if f.facts != nil && f.facts(callee, &r) {
		return &r
	}
	return nil
}

// takesFunc says whether a function has a parameter of func type that can fail.
func takesFunc(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if s, ok := v.Type().Underlying().(*types.Signature); ok && s.Results().Len() > 0 {
			return true
		}
	}
	return false
}

// directive reads //retrylint:retrier closure=N [attempts=N] [deadline]
// [jitter] in a doc comment; nil if there is none, or none that makes sense.
func directive(d *ast.FuncDecl) *Retrier {
	if d == nil || d.Doc == nil {
		return nil
	}
	for _, c := range d.Doc.List {
		text, ok := strings.CutPrefix(c.Text, "//retrylint:retrier")
		if !ok {
			continue
		}
		r := &Retrier{Closure: -1}
		for _, word := range strings.Fields(text) {
			name, val, _ := strings.Cut(word, "=")
			n, err := strconv.ParseInt(val, 10, 32)
			switch {
			case name == "closure" && err == nil && n >= 0:
				r.Closure = int(n)
			case name == "attempts" && err == nil && n > 0:
				r.Attempts, r.Counted = n, true
			case word == "deadline":
				r.Timed = true
			case word == "jitter":
				r.Jittered = true
			}
		}
		if r.Closure >= 0 {
			return r
		}
	}
	return nil
}
