// Package modulefacts limits facts to those of the module at hand.
//
// Drivers differ in the facts that they have. go vet analyses every
// dependency, so that facts come from anywhere. The standalone driver
// type-checks only the module from source, since doing so for every dependency
// takes about four times the time, and has no facts of others. A check would
// find more under the one than under the other. With the limit, both find the
// same; what must be known of well-known libraries is in package retrylib.
package modulefacts

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Import returns the pass's ImportObjectFact for objects of the pass's own
// module; of others the answer is that there is no fact. Where the driver does
// not say which module the package belongs to (Bazel's nogo, golangci-lint),
// there is no limit.
func Import(pass *analysis.Pass) func(types.Object, analysis.Fact) bool {
	if pass.Module == nil || pass.Module.Path == "" {
		return pass.ImportObjectFact
	}
	module := pass.Module.Path
	return func(obj types.Object, fact analysis.Fact) bool {
		if pkg := obj.Pkg(); pkg != nil && pkg != pass.Pkg && !within(pkg.Path(), module) {
			return false
		}
		return pass.ImportObjectFact(obj, fact)
	}
}

// within says whether a package belongs to a module, by their paths. A package
// of a module inside the module counts too, as it does for the standalone
// driver.
func within(pkg, module string) bool {
	return pkg == module || strings.HasPrefix(pkg, module+"/")
}
