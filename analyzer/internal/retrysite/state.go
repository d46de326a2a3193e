package retrysite

import (
	"go/ast"
	"go/types"
	"sort"
	"strconv"
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

// A state maps what is known along one path.
type state map[ref]value

func (s state) key() string {
	parts := make([]string, 0, len(s))
	for r, v := range s {
		o := ""
		if v.outcome {
			o = "o"
		}
		parts = append(parts, strconv.Itoa(int(r.root.Pos()))+r.path+":"+strconv.Itoa(int(v.is))+o+v.said)
	}
	sort.Strings(parts)
	return strings.Join(parts, ",")
}

func (s state) with(r ref, v value) state {
	if r.root == nil || s[r] == v {
		return s
	}
	c := make(state, len(s)+1)
	for k, old := range s {
		// Writing x forgets what was known of x.f.
		if k.root == r.root && strings.HasPrefix(k.path, r.path+".") {
			continue
		}
		c[k] = old
	}
	if v == (value{}) {
		delete(c, r)
	} else {
		c[r] = v
	}
	return c
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
		if s[ref{r.root, path}].outcome {
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
