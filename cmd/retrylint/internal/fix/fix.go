// Package fix applies the fixes of findings to files.
package fix

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/retrykit/retrykit/cmd/retrylint/internal/finding"
	"github.com/retrykit/retrykit/internal/wholefile"
)

// A Change is one file before and after.
type Change struct {
	File          string
	Before, After []byte
}

// Plan is what applying fixes would do.
type Plan struct {
	Changes []Change // by file name
	Applied int      // fixes that the changes hold
	// Conflicts are fixes that would change what another one changes. They
	// can be applied by a second run.
	Conflicts int
}

// Make merges the first fix of each finding. A fix is taken as a whole or not
// at all: one that would change a part of a file that an earlier one changes
// is left out, unless it makes the very same change there (two fixes that add
// one import). No file is written.
func Make(findings []finding.Finding, read func(string) ([]byte, error)) (Plan, error) {
	var plan Plan
	merged := make(map[string][]finding.Edit)
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			continue
		}
		next, ok := merge(merged, f.Fixes[0].Edits)
		if !ok {
			plan.Conflicts++
			continue
		}
		plan.Applied++
		for file, edits := range next {
			merged[file] = edits
		}
	}
	for file, edits := range merged {
		before, err := read(file)
		if err != nil {
			return Plan{}, fmt.Errorf("can't fix %s: %w", file, err)
		}
		after, err := apply(file, before, edits)
		if err != nil {
			return Plan{}, fmt.Errorf("can't fix %s: %w", file, err)
		}
		plan.Changes = append(plan.Changes, Change{file, before, after})
	}
	slices.SortFunc(plan.Changes, func(a, b Change) int { return cmp.Compare(a.File, b.File) })
	return plan, nil
}

// merge returns the edits of the files that a fix changes, with those that
// were accepted before; ok is false if they can't go together.
func merge(accepted map[string][]finding.Edit, fix []finding.Edit) (next map[string][]finding.Edit, ok bool) {
	next = make(map[string][]finding.Edit)
	for _, edit := range fix {
		edits, started := next[edit.File]
		if !started {
			edits = slices.Clone(accepted[edit.File])
		}
		same := func(e finding.Edit) bool { return e.Start == edit.Start && e.End == edit.End && e.New == edit.New }
		switch {
		case slices.ContainsFunc(accepted[edit.File], same):
		case slices.ContainsFunc(edits, func(e finding.Edit) bool { return overlap(e, edit) }):
			return nil, false
		default:
			edits = append(edits, edit)
		}
		next[edit.File] = edits
	}
	return next, true
}

// overlap says whether two edits change a common part. Two insertions at one
// place do: nothing says which comes first. An insertion at the edge of a
// replacement does not.
func overlap(a, b finding.Edit) bool {
	if a.Start == b.Start && (a.Start == a.End || b.Start == b.End) {
		return a.Start == a.End && b.Start == b.End
	}
	return a.Start < b.End && b.Start < a.End
}

// apply changes a file, removes the imports that nothing uses any more, and
// formats it.
func apply(name string, before []byte, edits []finding.Edit) ([]byte, error) {
	slices.SortFunc(edits, func(a, b finding.Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var after []byte
	last := 0
	for _, edit := range edits {
		if edit.Start < last || edit.End < edit.Start || edit.End > len(before) {
			return nil, fmt.Errorf("it changed while it was analysed; run again")
		}
		after = append(append(after, before[last:edit.Start]...), edit.New...)
		last = edit.End
	}
	after = append(after, before[last:]...)
	return tidy(name, before, after)
}

// tidy formats a fixed file and drops the imports that were used before the
// fix and are not any more.
func tidy(name string, before, after []byte) ([]byte, error) {
	used := func(src []byte) (*token.FileSet, *ast.File, map[string]bool, error) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return nil, nil, nil, err
		}
		names := make(map[string]bool)
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
			return true
		})
		return fset, file, names, nil
	}
	_, _, usedBefore, err := used(before)
	if err != nil {
		return nil, err
	}
	fset, file, usedAfter, err := used(after)
	if err != nil {
		return nil, fmt.Errorf("the fix of a check does not parse, please report it: %w", err)
	}
	var dropped bool
	for _, spec := range slices.Clone(file.Imports) {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		explicit := ""
		if spec.Name != nil {
			explicit = spec.Name.Name
		}
		for _, id := range importNames(path, explicit) {
			if usedBefore[id] && !usedAfter[id] {
				dropped = astutil.DeleteNamedImport(fset, file, explicit, path) || dropped
			}
		}
	}
	if !dropped {
		return format.Source(after)
	}
	return formatNode(fset, file)
}

// Diff is the change as a unified diff with paths relative to root.
func (c Change) Diff(root string) string {
	name := c.File
	if rel, err := filepath.Rel(root, c.File); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	name = filepath.ToSlash(name)
	return udiff.Unified("a/"+name, "b/"+name, string(c.Before), string(c.After))
}

// Write writes the changed files. Each is replaced as a whole, and keeps its
// mode and the links to it. One that is gone by now is not made again.
func (p Plan) Write() error {
	for _, c := range p.Changes {
		_, err := os.Stat(c.File)
		if err == nil {
			err = wholefile.Write(c.File, c.After)
		}
		if err != nil {
			return fmt.Errorf("can't write the fixed %s: %w", c.File, err)
		}
	}
	return nil
}
