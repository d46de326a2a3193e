// Command none is a vettool without analyzers.
package main

import "golang.org/x/tools/go/analysis/unitchecker"

func main() { unitchecker.Main() }
