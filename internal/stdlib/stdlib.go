// Package stdlib tells the packages of Go's standard library from others.
package stdlib

import "strings"

// roots are the first path elements of the standard library.
const roots = " archive bufio bytes cmd cmp compress container context crypto database debug embed encoding errors" +
	" expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp" +
	" runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak "

// Contains says whether a package belongs to the standard library. module is
// the path of its module, "" where a driver does not say; the go command says
// none for the standard library itself.
func Contains(module, path string) bool {
	if module != "" && module != "std" {
		return false
	}
	root, _, _ := strings.Cut(path, "/")
	return root != "" && strings.Contains(roots, " "+root+" ")
}
