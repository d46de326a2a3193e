package edit

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrykit/retrykit/analyzer/internal/retrysite"
)

// Leave writes the statement by which a function gives up with an error, given
// as source text: "return nil, ctx.Err()". It is not ok where that can't be
// written: the last result is no error, or another one has no zero value that
// means the same everywhere. A function without results just returns.
func Leave(pass *analysis.Pass, fn *retrysite.Func, err string) (statement string, ok bool) {
	res := fn.Type().Results
	if res == nil || len(res.List) == 0 {
		return "return", true
	}
	var values []string
	for i, field := range res.List {
		t := pass.TypesInfo.TypeOf(field.Type)
		for j := range max(1, len(field.Names)) {
			if i == len(res.List)-1 && j == max(1, len(field.Names))-1 {
				if !isError(t) {
					return "", false
				}
				values = append(values, err)
				continue
			}
			zero, ok := Zero(t, field.Type)
			if !ok {
				return "", false
			}
			values = append(values, zero)
		}
	}
	return "return " + strings.Join(values, ", "), true
}

// ReturnsError says whether the last result of a function is an error.
func ReturnsError(pass *analysis.Pass, fn *retrysite.Func) bool {
	res := fn.Type().Results
	return res != nil && len(res.List) > 0 && isError(pass.TypesInfo.TypeOf(res.List[len(res.List)-1].Type))
}

// Zero is the zero value of a type as it can be written where written, the
// type's own source, means that type.
func Zero(t types.Type, written ast.Expr) (string, bool) {
	if t == nil {
		return "", false
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "", false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Kind() == types.UnsafePointer:
			return "nil", true
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return "nil", true
	case *types.Struct, *types.Array:
		return types.ExprString(written) + "{}", true
	}
	return "", false
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// Own says whether a place belongs to the function of the site itself and not
// to a function literal in it, which a return there would leave.
func Own(s *retrysite.Site, at ast.Node) bool {
	for _, n := range Around(s.Func.Body(), at) {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
	}
	return true
}

// CanLeave says whether returning is how the function of a site can give up: it
// has an error to say so, or nothing comes after the loop that would be
// skipped.
func CanLeave(pass *analysis.Pass, s *retrysite.Site) bool {
	if ReturnsError(pass, s.Func) {
		return true
	}
	list := s.Func.Body().List
	return s.Func.Type().Results == nil && ast.Node(list[len(list)-1]) == s.Node
}
