package fix

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"path"
	"strings"
)

// importNames are the names by which a file may use an import. Without a name
// of its own that is the name of the package, which the last element of its
// path tells but for a version (v5, yaml.v3) and a "go-" before or behind.
func importNames(importPath, explicit string) []string {
	switch explicit {
	case "_", ".":
		return nil
	case "":
	default:
		return []string{explicit}
	}
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(importPath) != "." {
		base = path.Base(path.Dir(importPath))
	}
	base, _, _ = strings.Cut(base, ".v")
	names := []string{base}
	for _, other := range []string{strings.TrimPrefix(base, "go-"), strings.TrimSuffix(base, "-go")} {
		if other != base {
			names = append(names, other)
		}
	}
	if i := strings.LastIndexByte(base, '-'); i >= 0 {
		names = append(names, base[i+1:])
	}
	return names
}

func formatNode(fset *token.FileSet, file *ast.File) ([]byte, error) {
	ast.SortImports(fset, file)
	var out bytes.Buffer
	if err := format.Node(&out, fset, file); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
