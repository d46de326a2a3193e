package retrysite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// interesting says whether the package can hold a site at all, by what it
// imports: without time, a context, the network or a library there is neither
// a remote operation nor a wait.
func interesting(pass *analysis.Pass) bool {
	if standard(pass) {
		return false
	}
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
		switch p.Path() {
		case "context", "time", "net", "net/http", "net/rpc", "net/smtp", "database/sql":
			return true
		}
		return strings.Contains(p.Path(), ".")
	})
}

// standardRoots are the first path elements of the standard library. Its
// packages are never searched: what must be known of them is built in.
const standardRoots = " archive bufio bytes cmd cmp compress container context crypto database debug embed encoding errors" +
	" expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp" +
	" runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak "

func standard(pass *analysis.Pass) bool {
	if pass.Module != nil && pass.Module.Path != "" && pass.Module.Path != "std" {
		return false
	}
	root, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return strings.Contains(standardRoots, " "+root+" ")
}

// skippedFiles are the generated files, and the tests and examples unless they
// are asked for.
func skippedFiles(pass *analysis.Pass, tests bool) map[*token.File]bool {
	skip := make(map[*token.File]bool)
	for _, file := range pass.Files {
		tf := pass.Fset.File(file.FileStart)
		switch {
		case ast.IsGenerated(file):
			skip[tf] = true
		case !tests && strings.HasSuffix(tf.Name(), "_test.go"):
			skip[tf] = true
		}
	}
	return skip
}

// flagged says whether a bool flag of the pass's analyzer is set.
func flagged(pass *analysis.Pass, name string) bool {
	return pass.Analyzer.Flags.Lookup(name).Value.String() == "true"
}

// forTests says whether fn, or a function around it, takes part in a test: it
// has a parameter from package testing.
func forTests(info *types.Info, fn *Func) bool {
	for ; fn != nil; fn = fn.Outer {
		for _, field := range fn.Type().Params.List {
			t := info.TypeOf(field.Type)
			if t == nil {
				continue
			}
			if n, ok := types.Unalias(deref(t)).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
				return true
			}
		}
	}
	return false
}
