package retrysite

import (
	"go/ast"
	"go/types"
	"strings"
)

// A value is what the walk knows of a variable or expression.
type value struct {
	is is
	// outcome says that the value depends on what the operation returned, so
	// that a branch on it is a look at the outcome.
	outcome bool
	// said is the constant, a text or one of a list of names, by which the
	// function tells itself later what to do; "" if there is none.
	said string
}

type is uint8

const (
	isUnknown is = iota
	isNil        // nil, or the number 0
	isSet        // not nil, or a counter that was counted up
	isTrue
	isFalse
)

func (v is) not() is {
	switch v {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return isUnknown
}

func boolValue(b bool) is {
	if b {
		return isTrue
	}
	return isFalse
}

// A place in memory that the walk follows: a variable, or a field reached from
// one by name.
type ref struct {
	root types.Object
	path string
}

// A state is what is known along one path: of places in memory, in the order of
// their positions. It is never changed, for paths that part share what they knew
// before.
type state []entry

type entry struct {
	at ref
	is value
}

// of is what is known of a place, the zero value if nothing is.
func (s state) of(r ref) value {
	for i := range s {
		if s[i].at == r {
			return s[i].is
		}
	}
	return value{}
}

// with is s after a place was given a value.
func (s state) with(r ref, v value) state {
	if r.root == nil || s.of(r) == v {
		return s
	}
	c := make(state, 0, len(s)+1)
	put := v == value{} // which is the same as nothing known
	for _, k := range s {
		if k.at.within(r) {
			continue // writing x forgets what was known of x.f
		}
		if !put && r.before(k.at) {
			c, put = append(c, entry{r, v}), true
		}
		c = append(c, k)
	}
	if !put {
		c = append(c, entry{r, v})
	}
	return c
}

// within says whether r is all or a part of other.
func (r ref) within(other ref) bool {
	if r.root != other.root {
		return false
	}
	rest, ok := strings.CutPrefix(r.path, other.path)
	return ok && (rest == "" || rest[0] == '.')
}

// before is the order of places in a state.
func (r ref) before(other ref) bool {
	if a, b := r.root.Pos(), other.root.Pos(); a != b {
		return a < b
	}
	return r.path < other.path
}

// hash is equal for equal states, and rarely for others.
func (s state) hash() uint64 {
	const prime = 1099511628211 // of FNV
	h := uint64(14695981039346656037)
	add := func(x uint64) { h = (h ^ x) * prime }
	text := func(s string) {
		for i := range len(s) {
			add(uint64(s[i]))
		}
	}
	for i := range s {
		k := &s[i]
		add(uint64(k.at.root.Pos()))
		text(k.at.path)
		add(uint64(k.is.is))
		if k.is.outcome {
			add(1 << 8)
		}
		text(k.is.said)
	}
	return h
}

// refOf is the memory that an expression names, the zero ref if it is none
// that can be followed.
func refOf(info *types.Info, e ast.Expr) ref {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok {
			return ref{root: v}
		}
	case *ast.SelectorExpr:
		if info.Selections[e] == nil {
			if v, ok := info.ObjectOf(e.Sel).(*types.Var); ok {
				return ref{root: v}
			}
			return ref{}
		}
		if r := refOf(info, e.X); r.root != nil {
			return ref{root: r.root, path: r.path + "." + e.Sel.Name}
		}
	case *ast.StarExpr:
		if r := refOf(info, e.X); r.root != nil {
			return ref{root: r.root, path: r.path + ".*"}
		}
	}
	return ref{}
}

// objectOf is what an identifier or qualified identifier names.
func objectOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		return info.ObjectOf(e.Sel)
	}
	return nil
}

// outcomeOf says whether r lies within something that depends on the outcome.
func (s state) outcomeOf(r ref) bool {
	for path := r.path; ; {
		if s.of(ref{r.root, path}).outcome {
			return true
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return false
		}
		path = path[:i]
	}
}

func zeroOf(t types.Type) value {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if t.Info()&types.IsBoolean != 0 {
			return value{is: isFalse}
		}
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return value{is: isNil}
	}
	return value{}
}
