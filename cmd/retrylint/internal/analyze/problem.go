package analyze

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// A Problem is a reason why a package, or a check in a package, gave no
// answer.
type Problem struct {
	Package  string `json:"package"`
	Position string `json:"position,omitempty"` // file:line:column, where known
	Message  string `json:"message"`
}

func (p Problem) String() string {
	where := cmp.Or(p.Position, p.Package)
	if strings.ContainsFunc(where, unicode.IsControl) {
		where = strconv.Quote(where)
	}
	return where + ": " + p.Message
}

// problemsOf says why a package can't be analysed; nil if it can.
func (l *loaded) problemsOf(pkg *packages.Package) []Problem {
	imports := l.imports[pkg]
	var problems []Problem
	add := func(position, message string) {
		problems = append(problems, Problem{Package: pkg.PkgPath, Position: position, Message: message})
	}
	for _, name := range pkg.GoFiles {
		if strings.Contains(name, "\n") {
			add("", fmt.Sprintf("the go command can't list a package with a line break in a file's name; rename %q", filepath.Base(name)))
			return problems
		}
	}
	positioned := slices.ContainsFunc(pkg.Errors, hasPosition)
	for _, err := range pkg.Errors {
		switch {
		case hasPosition(err):
			add(err.Pos, explain(err, imports))
		case !positioned:
			// The go command's summary of what the compiler said: of use only
			// where nothing says it better.
			add("", explain(err, imports))
		}
	}
	if len(problems) > 0 {
		return problems
	}
	if !pkg.IllTyped {
		return nil
	}
	paths := broken(imports)
	for _, path := range paths {
		if said := l.lacking(path); said != "" {
			add("", fmt.Sprintf("it imports %s, of which the go command says: %s", path, said))
			return problems
		}
	}
	add("", fmt.Sprintf("it imports %s, which does not compile", strings.Join(paths, ", ")))
	return problems
}

func hasPosition(err packages.Error) bool { return err.Pos != "" && err.Pos != "-" }

// explain is the message of a loading error on one line. Of an import that
// failed it says why.
func explain(err packages.Error, imports map[string]*packages.Package) string {
	if path, ok := strings.CutPrefix(err.Msg, "could not import "); ok {
		path, _, _ = strings.Cut(path, " ")
		if imported := imports[path]; imported != nil && len(imported.Errors) > 0 {
			return oneLine(imported.Errors[0].Msg)
		}
	}
	return withWayOut(oneLine(err.Msg))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// broken returns the sorted paths of the imports that do not compile.
func broken(imports map[string]*packages.Package) []string {
	var paths []string
	for path, imported := range imports {
		if imported.IllTyped || len(imported.Errors) > 0 {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
