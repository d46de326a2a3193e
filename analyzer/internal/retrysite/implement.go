package retrysite

import "go/types"

// implementations are the methods of the package's types by which a method of
// an interface of the package is done, nil for each without source here.
func (f *finder) implementations(method *types.Func) (list []*Func) {
	recv := method.Signature().Recv()
	if method.Pkg() != f.pass.Pkg || recv == nil {
		return nil
	}
	of, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if list, ok := f.implemented[method]; ok {
		return list
	}
	defer func() { f.implemented[method] = list }()
	scope := f.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		t := types.NewPointer(tn.Type())
		if !types.Implements(t, of) {
			continue
		}
		o, _, _ := types.LookupFieldOrMethod(t, true, f.pass.Pkg, method.Name())
		m, _ := o.(*types.Func)
		list = append(list, f.res.FuncOf(m))
	}
	return list
}

// onlyImplementation is the one function of the package by which a method of an
// interface of it can be done; nil if callee is none, or if there are more.
func (f *finder) onlyImplementation(callee *types.Func) *Func {
	if f.forFacts {
		return nil // too many are asked about for what little comes of it
	}
	if list := f.implementations(callee.Origin()); len(list) == 1 && list[0] != nil && list[0].Body() != nil {
		return list[0]
	}
	return nil
}
