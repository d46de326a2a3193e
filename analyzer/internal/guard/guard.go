// Package guard keeps one broken analyzer from taking a driver down.
package guard

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
)

// Run wraps the Run function of an analyzer so that a panic becomes an error
// that names the analyzer and the package. Drivers report such an error and
// go on with the other analyzers.
func Run(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if r := recover(); r != nil {
				result, err = nil, fmt.Errorf("%s: internal error in package %s: %v; please report it, and leave it out with -%[1]s=false meanwhile",
					pass.Analyzer.Name, pass.Pkg.Path(), r)
			}
		}()
		return run(pass)
	}
}
