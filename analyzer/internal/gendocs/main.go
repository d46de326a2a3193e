// Command gendocs writes docs/checks: a page for each check, out of its
// doc.go, and an index.
//
//	go run ./analyzer/internal/gendocs
//
// A test fails when the pages are not what it would write.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "root of the module")
	flag.Parse()
	if err := write(*root); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

// write replaces the pages below root, and removes those of checks that are
// no more.
func write(root string) error {
	all, err := pages(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "docs", "checks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, ok := all[filepath.Base(name)]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
