package retrysite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/retrykit/retrykit/analyzer/internal/retrylib"
)

// A TextDecision is a place where the text of an error decides whether there
// is another attempt.
type TextDecision struct {
	// Match is what looks at the text: a call, a comparison, the tag of a
	// switch, an index into a map.
	Match ast.Expr
	// Err is the error, as source text: "err".
	Err string
	// Pattern is what is looked for, "" if it is not constant.
	Pattern string
	// Func is the function in which Match stands.
	Func *Func
	// Site is the retry that goes by it; nil for a predicate that is known by
	// its use or its name only.
	Site *Site
	// By is why it is taken for such a decision.
	By DecidedBy
}

// DecidedBy is the evidence that a look at an error decides about a retry.
type DecidedBy uint8

const (
	DecidedInSite  DecidedBy = iota + 1 // it stands in a site, and one way leaves
	DecidedForSite                      // a site asks the function in which it stands
	DecidedByMark                       // the function marks errors as permanent or retryable for a library
	DecidedByName                       // the function, or what is looked up, is named for it
)

func (d DecidedBy) String() string {
	return [...]string{"unknown", "in site", "for site", "marker", "name"}[d]
}

// classifierName matches names of functions that say whether a failure is
// worth another attempt.
var classifierName = Matcher(`(?i)(is|should|can|may|needs?|must|do|check|worth|allow|no|not|non|un)_?retr(y|ied|iable|yable)|retr(yable|iable)|^retry(if|on|when|error|check|policy|decider|predicate)|(is|check)?_?(transient|recoverable|unrecoverable)(err|$)`)

// textDecisions finds the decisions of the package.
func (f *finder) textDecisions() {
	seen := make(map[token.Pos]bool)
	add := func(ds []*TextDecision) {
		for _, d := range ds {
			if !seen[d.Match.Pos()] {
				seen[d.Match.Pos()] = true
				f.res.TextDecisions = append(f.res.TextDecisions, d)
			}
		}
	}
	for _, s := range f.res.Sites {
		add(f.siteText(s))
	}
	for _, fn := range f.decls {
		if fn.Body() != nil && !f.skip[f.pass.Fset.File(fn.Body().Pos())] {
			add(f.classifierText(fn))
		}
	}
	slices.SortStableFunc(f.res.TextDecisions, func(a, b *TextDecision) int { return int(a.Match.Pos() - b.Match.Pos()) })
}

// siteText finds the looks at text on which a site's way depends.
func (f *finder) siteText(s *Site) (out []*TextDecision) {
	var before []*TextDecision
	for _, in := range s.Inspections {
		if !in.Stops || in.Expr == nil {
			continue
		}
		texts := f.textIn(s, s.Func, in.Expr, DecidedInSite, 0)
		if s.Kind == KindLoop && !in.Last {
			before = append(before, texts...)
		} else {
			out = append(out, texts...)
		}
	}
	if len(out) == 0 { // else they only say which error it is, and another text decides
		out = before
	}
	out = append(append(out, f.searchedText(s)...), f.predicateText(s)...)
	if s.Body != nil && s.Kind == KindLoop {
		// A switch on the text shows in the graph by its cases only.
		inspectOwn(s.Body, func(n ast.Node) {
			if sw, ok := n.(*ast.SwitchStmt); ok && sw.Tag != nil && leaves(sw.Body) {
				if x := f.textOf(s.Func, sw.Tag); x != nil && f.fromOperation(s, x) {
					out = append(out, &TextDecision{Match: sw.Tag, Err: types.ExprString(x), Func: s.Func, Site: s, By: DecidedInSite})
				}
			}
		})
	}
	return out
}

// fromOperation says whether an error expression holds what an operation of
// the site returned.
func (f *finder) fromOperation(s *Site, x ast.Expr) bool {
	v := varOf(f.info, x)
	if v == nil {
		return false
	}
	for _, op := range s.Ops {
		if op.Err == v {
			return true
		}
		for _, a := range f.valuesOf(s.Func, v) {
			if a.expr != nil && ast.Unparen(a.expr) == ast.Expr(op.Call) {
				return true
			}
		}
	}
	return false
}

// leaves says whether a block holds a statement that leaves what is around it.
func leaves(b ast.Node) (found bool) {
	inspectOwn(b, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil || n.Tok == token.GOTO || n.Tok == token.CONTINUE
		}
	})
	return found
}

// textIn finds the looks at an error's text in a condition, those in variables
// and in predicates of the package included.
func (f *finder) textIn(s *Site, fn *Func, cond ast.Expr, by DecidedBy, depth int) (out []*TextDecision) {
	if depth > 2 {
		return nil
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if d := f.textMatch(fn, e); d != nil {
			d.Site, d.By = s, by
			out = append(out, d)
			return false
		}
		switch e := e.(type) {
		case *ast.Ident:
			v, ok := f.info.ObjectOf(e).(*types.Var)
			if !ok || v.IsField() || isPackageLevel(v) {
				break
			}
			if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
				for _, a := range f.valuesOf(fn, v) {
					if a.expr != nil && a.index < 0 && a.expr != cond {
						out = append(out, f.textIn(s, fn, a.expr, by, depth+1)...)
					}
				}
			}
		case *ast.CallExpr:
			callee := f.res.FuncOf(calleeOf(f.info, e))
			if callee == nil || callee.Body() == nil || !f.takesError(e) {
				break
			}
			inspectOwn(callee.Body(), func(n ast.Node) {
				for _, c := range decisive(n) {
					out = append(out, f.textIn(s, callee, c, DecidedForSite, depth+1)...)
				}
			})
		}
		return true
	})
	return out
}

// takesError says whether a call is given an error.
func (f *finder) takesError(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isError(f.info.TypeOf(a)) })
}

// decisive lists the expressions of a statement by which a predicate answers.
func decisive(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.IfStmt:
		return []ast.Expr{n.Cond}
	case *ast.SwitchStmt:
		if n.Tag != nil {
			return []ast.Expr{n.Tag}
		}
	case *ast.CaseClause:
		return n.List
	case *ast.ReturnStmt:
		return n.Results
	}
	return nil
}

// textMatch reads e as a look at an error's text.
func (f *finder) textMatch(fn *Func, e ast.Expr) *TextDecision {
	found := func(x ast.Expr, pattern ast.Expr) *TextDecision {
		if x == nil {
			return nil
		}
		d := &TextDecision{Match: e, Err: types.ExprString(x), Func: fn}
		if pattern != nil {
			if tv := f.info.Types[pattern]; tv.Value != nil && tv.Value.Kind() == constant.String {
				d.Pattern = constant.StringVal(tv.Value)
			}
		}
		return d
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		callee := calleeOf(f.info, e)
		switch name := fullName(callee); {
		case name == "strings.Contains", name == "strings.HasPrefix", name == "strings.HasSuffix", name == "strings.EqualFold",
			name == "strings.Index", name == "strings.ContainsAny", name == "strings.Count":
			if len(e.Args) == 2 {
				return found(f.textOf(fn, e.Args[0]), e.Args[1])
			}
		case name == "slices.Contains" && len(e.Args) == 2:
			return found(f.textOf(fn, e.Args[1]), nil)
		case strings.HasPrefix(name, "(regexp.Regexp).Match"), strings.HasPrefix(name, "(regexp.Regexp).Find"):
			if len(e.Args) > 0 {
				return found(f.textOf(fn, e.Args[0]), f.expression(e))
			}
		case name == "regexp.MatchString" && len(e.Args) == 2:
			return found(f.textOf(fn, e.Args[1]), e.Args[0])
		case callee != nil && callee.Pkg() == f.pass.Pkg && len(e.Args) > 0:
			// containsAny(err.Error(), ...): a helper that answers yes or no
			// about a text.
			if t := f.info.TypeOf(e); t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool]) {
				for _, a := range e.Args {
					if x := f.textOf(fn, a); x != nil {
						return found(x, nil)
					}
				}
			}
		}
	case *ast.BinaryExpr:
		if e.Op == token.EQL || e.Op == token.NEQ {
			for _, p := range [2][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
				if tv := f.info.Types[p[1]]; tv.Value != nil && tv.Value.Kind() == constant.String && constant.StringVal(tv.Value) == "" {
					continue // whether there is a text
				}
				if x := f.textOf(fn, p[0]); x != nil && f.textOf(fn, p[1]) == nil {
					return found(x, p[1])
				}
			}
		}
	case *ast.IndexExpr:
		if t := f.info.TypeOf(e.X); t != nil {
			if _, ok := t.Underlying().(*types.Map); ok {
				return found(f.textOf(fn, e.Index), nil)
			}
		}
	}
	return nil
}

// expression is what the regular expression was made of on which a method is
// called, where that is a variable of the package; nil where it is not known.
func (f *finder) expression(call *ast.CallExpr) (pattern ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := objectOf(f.info, sel.X).(*types.Var)
	if !ok || !isPackageLevel(v) || v.Pkg() != f.pass.Pkg {
		return nil
	}
	for _, init := range f.info.InitOrder {
		if len(init.Lhs) != 1 || init.Lhs[0] != v {
			continue
		}
		if made, ok := ast.Unparen(init.Rhs).(*ast.CallExpr); ok && strings.HasPrefix(fullName(calleeOf(f.info, made)), "regexp.") && len(made.Args) == 1 {
			return made.Args[0]
		}
	}
	return nil
}

// textOf is the error whose text e is, nil if it is none: err.Error(), a
// variable that holds it, and what only changes its case or trims it.
func (f *finder) textOf(fn *Func, e ast.Expr) ast.Expr { return f.textOfDepth(fn, e, 0) }

func (f *finder) textOfDepth(fn *Func, e ast.Expr, depth int) ast.Expr {
	if depth > 4 {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" && len(e.Args) == 0 {
			if t := f.info.TypeOf(sel.X); implementsError(t) && !nothingButText(t) {
				return sel.X
			}
			return nil
		}
		if tv := f.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return f.textOfDepth(fn, e.Args[0], depth+1)
		}
		switch fullName(calleeOf(f.info, e)) {
		case "strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "strings.Trim", "strings.TrimPrefix", "strings.TrimSuffix":
			return f.textOfDepth(fn, e.Args[0], depth+1)
		case "fmt.Sprint", "fmt.Sprintf":
			for _, a := range e.Args {
				if isError(f.info.TypeOf(a)) {
					return a
				}
			}
		}
	case *ast.Ident:
		v, ok := f.info.ObjectOf(e).(*types.Var)
		if !ok || !types.Identical(v.Type().Underlying(), types.Typ[types.String]) {
			return nil
		}
		if vals := f.valuesOf(fn, v); len(vals) > 0 && vals[0].expr != nil && vals[0].index < 0 {
			return f.textOfDepth(fn, vals[0].expr, depth+1)
		}
	}
	return nil
}

// nothingButText says whether a type of errors holds a text and nothing else, as
// that for what a server answers in a protocol made of lines does.
func nothingButText(t types.Type) bool {
	switch t := deref(t).Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Struct:
		return t.NumFields() == 1 && isText(t.Field(0).Type())
	}
	return false
}

// classifierText finds the looks at text in a function that is known to
// classify failures for a retry by what it does or by its name.
func (f *finder) classifierText(fn *Func) (out []*TextDecision) {
	if !f.hasErrorText(fn) {
		return nil
	}
	by := DecidedBy(0)
	switch {
	case f.answers(fn) && classifierName(fn.Name()) && f.errorParam(fn) != nil:
		by = DecidedByName
	case f.marks(fn):
		by = DecidedByMark
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		if by != 0 {
			for _, c := range decisive(n) {
				out = append(out, f.textIn(nil, fn, c, by, 1)...)
			}
			return
		}
		// nonRetryable[err.Error()]: what is looked up says what it is for.
		if ix, ok := n.(*ast.IndexExpr); ok && classifierName(lastName(ix.X)) {
			if d := f.textMatch(fn, ix); d != nil {
				d.By = DecidedByName
				out = append(out, d)
			}
		}
	})
	return out
}

func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// hasErrorText says whether fn asks an error for its text at all.
func (f *finder) hasErrorText(fn *Func) bool {
	return slices.ContainsFunc(fn.calls, func(call *ast.CallExpr) bool { return f.textOf(fn, call) != nil })
}

// answers says whether fn answers yes or no.
func (f *finder) answers(fn *Func) bool {
	if fn.Type().Results == nil || len(fn.Type().Results.List) == 0 {
		return false
	}
	t := f.info.TypeOf(fn.Type().Results.List[0].Type)
	return t != nil && types.Identical(t.Underlying(), types.Typ[types.Bool])
}

// errorParam is the first parameter of fn that is an error, nil if none is.
func (f *finder) errorParam(fn *Func) *types.Var {
	for _, field := range fn.Type().Params.List {
		if !isError(f.info.TypeOf(field.Type)) {
			continue
		}
		for _, name := range field.Names {
			if v, ok := f.info.Defs[name].(*types.Var); ok {
				return v
			}
		}
	}
	return nil
}

// marks says whether fn returns, of an error that it was given, one that is
// marked for a retry library.
func (f *finder) marks(fn *Func) (found bool) {
	if f.errorParam(fn) == nil {
		return false
	}
	inspectOwn(fn.Body(), func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok {
			for _, e := range r.Results {
				if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && f.isMarker(call) {
					found = true
				}
			}
		}
	})
	return found
}

// isMarker says whether a call marks an error as permanent or retryable.
func (f *finder) isMarker(call *ast.CallExpr) bool {
	e := retrylib.Lookup(calleeOf(f.info, call))
	return e != nil && (e.Kind == retrylib.KindPermanent || e.Kind == retrylib.KindRetryable) && f.takesError(call)
}
