// Package analyze is the standalone driver: it loads packages, runs the checks
// and returns findings.
package analyze

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// A Request says what to analyse.
type Request struct {
	Dir      string   // where patterns are resolved; "" is the current directory
	Patterns []string // as the go command takes them; none means "."
	Tests    bool     // load test files as well
	Tags     string   // build tags, separated by commas
	Env      []string // nil is the process's own

	// Overlay holds what to take for the content of files, by absolute name,
	// instead of what is in them.
	Overlay map[string][]byte
}

// metadata is what it takes to know which packages there are, with no types.
const metadata = packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule

// fromSource is what the checks need of a package of the module. Without
// NeedDeps, what such packages import comes from export data.
const fromSource = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule

// loaded are packages ready to be analysed.
type loaded struct {
	matched []*packages.Package
	// imports are all imports of each package that matched. Its own Imports
	// hold only those that were loaded from source.
	imports map[*packages.Package]map[string]*packages.Package

	listing packages.Config // lists packages of the same module, with no types
}

// lacking is what a package can't be compiled without, in the go command's words:
// a module that go.mod or go.sum does not know, deep among its imports. It is ""
// where nothing like that is missing.
func (l *loaded) lacking(path string) string {
	roots, err := packages.Load(&l.listing, path)
	if err != nil {
		return ""
	}
	said := ""
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if said == "" && len(pkg.Errors) > 0 {
			said = oneLine(pkg.Errors[0].Msg)
		}
	})
	return said
}

// load returns the packages that match. They, and the packages of the same
// module that they need, are type-checked from source.
//
// Facts travel from package to package. To have them from every dependency,
// all of them would have to be type-checked from source, at about four times
// the time; they are taken from the module at hand alone, and what must be
// known of well-known libraries the checks bring along.
func load(ctx context.Context, req Request) (*loaded, error) {
	config := &packages.Config{Context: ctx, Dir: req.Dir, Tests: req.Tests, Env: req.Env, Overlay: req.Overlay, Mode: fromSource}
	if req.Tags != "" {
		config.BuildFlags = []string{"-tags=" + req.Tags}
	}
	patterns := req.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	needed, err := siblings(config, patterns)
	if err != nil {
		return nil, err
	}
	roots, err := packages.Load(config, slices.Concat(patterns, needed)...)
	if err != nil {
		return nil, loadError(err)
	}
	sources := make(map[*packages.Package]bool)
	for _, pkg := range roots {
		sources[pkg] = true
	}
	isNeeded := make(map[string]bool)
	for _, path := range needed {
		isNeeded[path] = true
	}
	result := &loaded{imports: make(map[*packages.Package]map[string]*packages.Package), listing: *config}
	result.listing.Mode = metadata
	for _, pkg := range roots {
		result.imports[pkg] = maps.Clone(pkg.Imports)
		maps.DeleteFunc(pkg.Imports, func(_ string, imported *packages.Package) bool { return !sources[imported] })
		if isNeeded[pkg.PkgPath] || strings.HasSuffix(pkg.ID, ".test") {
			continue
		}
		result.matched = append(result.matched, pkg)
	}
	if !slices.ContainsFunc(result.matched, func(pkg *packages.Package) bool { return len(pkg.GoFiles) > 0 || len(pkg.Errors) > 0 }) {
		if said := refusal(ctx, config, patterns); said != "" {
			return nil, errors.New(withWayOut(said))
		}
	}
	if len(result.matched) == 0 {
		return nil, fmt.Errorf("no packages match %s; name directories such as ./... or import paths", strings.Join(patterns, " "))
	}
	return result, nil
}

// refusal is why the go command lists nothing, "" if it has no objection. Asked
// for all that can be had in spite of errors, as packages.Load does, it says
// nothing of a go.mod that needs go mod tidy.
func refusal(ctx context.Context, config *packages.Config, patterns []string) string {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, config.BuildFlags, []string{"--"}, patterns)...)
	cmd.Dir, cmd.Env = config.Dir, config.Env
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if cmd.Run() == nil {
		return ""
	}
	return strings.TrimSpace(stderr.String())
}

// siblings returns the import paths of the packages that those matching need
// and that belong to the same module, but do not match themselves.
func siblings(config *packages.Config, patterns []string) ([]string, error) {
	if wholeModule(config.Dir, patterns) {
		return nil, nil
	}
	listing := *config
	listing.Mode = metadata
	roots, err := packages.Load(&listing, patterns...)
	if err != nil {
		return nil, loadError(err)
	}
	var modules []string
	matches := make(map[string]bool)
	for _, pkg := range roots {
		matches[pkg.PkgPath] = true
		if pkg.Module != nil && !slices.Contains(modules, pkg.Module.Path) {
			modules = append(modules, pkg.Module.Path)
		}
	}
	var needed []string
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if !matches[pkg.PkgPath] && len(pkg.Errors) == 0 && slices.ContainsFunc(modules, func(m string) bool { return within(pkg.PkgPath, m) }) {
			matches[pkg.PkgPath] = true
			needed = append(needed, pkg.PkgPath)
		}
	})
	sort.Strings(needed)
	return needed, nil
}

// within says whether a package is one of a module, by their paths.
func within(pkgPath, module string) bool {
	return pkgPath == module || strings.HasPrefix(pkgPath, module+"/")
}

// wholeModule says whether the pattern surely names every package of a module,
// so that there are no siblings to look for, which takes another listing: ./...
// beside go.mod, or the path of a module that go.mod knows, followed by /...
func wholeModule(dir string, patterns []string) bool {
	if len(patterns) != 1 {
		return false
	}
	root, ok := strings.CutSuffix(patterns[0], "/...")
	if !ok {
		return false
	}
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	if root == "." {
		return true
	}
	file, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return false // the go command says what is wrong with it
	}
	return file.Module != nil && file.Module.Mod.Path == root ||
		slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == root })
}

// loadError makes readable what the go command says when it can't even list
// packages: the part after its own prefix.
func loadError(err error) error {
	text := strings.TrimSpace(err.Error())
	if strings.Contains(text, "executable file not found") {
		return fmt.Errorf("the go command is needed to find packages: %w", err)
	}
	text = strings.TrimPrefix(text, "err: exit status 1: stderr: ")
	return errors.New(withWayOut(text))
}

// withWayOut adds what to do to the go command's words for a missing module.
func withWayOut(text string) string {
	if strings.Contains(text, "go.mod file not found") || strings.Contains(text, "does not contain main module") {
		return text + "; run retrylint inside a module, or make one with go mod init"
	}
	if _, rest, ok := strings.Cut(text, "package "); ok {
		if name, _, ok := strings.Cut(rest, " is not in std"); ok {
			return text + "; a folder is named ./" + name
		}
	}
	return text
}
