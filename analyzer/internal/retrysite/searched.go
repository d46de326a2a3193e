package retrysite

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// SearchedFiles are the files of the package that are looked into: not the
// generated ones, and tests only when the Analyzer's flag -tests says so. It
// is for checks that look at something besides sites.
func SearchedFiles(pass *analysis.Pass) []*ast.File {
	skip := skippedFiles(pass, Analyzer.Flags.Lookup("tests").Value.String() == "true")
	var files []*ast.File
	for _, file := range pass.Files {
		if !skip[pass.Fset.File(file.FileStart)] {
			files = append(files, file)
		}
	}
	return files
}
