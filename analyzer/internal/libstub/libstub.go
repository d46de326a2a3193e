// Package libstub gives the analyzers' tests packages with the real import
// paths and signatures of retry libraries and empty bodies, so that no test
// needs a network and no library reaches the module's go.sum.
package libstub

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir makes a directory for analysistest.Run that holds the stubs and, over
// them, the packages of src (a testdata/src directory) whose names match one
// of the patterns. It answers the directory and the names of those packages.
func Dir(t testing.TB, src string, patterns ...string) (dir string, packages []string) {
	t.Helper()
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("libstub: where its own source stands is not known")
	}
	dir = t.TempDir()
	root := filepath.Join(dir, "src")
	if err := os.CopyFS(root, os.DirFS(filepath.Join(filepath.Dir(here), "testdata", "src"))); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(src, pattern))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Fatalf("libstub: no package matches %s in %s", pattern, src)
		}
		for _, from := range found {
			name := filepath.Base(from)
			if err := os.CopyFS(filepath.Join(root, name), os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			packages = append(packages, name)
		}
	}
	return dir, packages
}
