package retrysite

import (
	"go/ast"
	"go/types"
)

// givenOnce is what a parameter of a function of the package, which no other
// package can call, is given in the one call of it; nil if there are none or more.
func (f *finder) givenOnce(e ast.Expr) (given ast.Expr) {
	v := varOf(f.info, e)
	if v == nil || v.Pkg() != f.pass.Pkg || isPackageLevel(v) || v.IsField() {
		return nil
	}
	owner := f.ownerOf(v)
	if owner == nil || owner.Obj.Exported() {
		return nil
	}
	index, uses := f.paramIndex(owner, v), f.callersOf(owner.Obj)
	if uses.value || len(uses.calls) != 1 || index >= len(uses.calls[0].Args) {
		return nil
	}
	return uses.calls[0].Args[index]
}

// ownerOf is the declared function of which v is a parameter that it never sets.
func (f *finder) ownerOf(v *types.Var) *Func {
	for _, fn := range f.decls {
		if fn.Obj != nil && fn.Body() != nil && f.paramOf(fn, v) == fn && len(f.valuesOf(fn, v)) == 0 {
			return fn
		}
	}
	return nil
}
