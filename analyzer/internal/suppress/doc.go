// Package suppress lets a comment in the source silence a check.
//
// These forms are followed, the ones that users of golangci-lint and
// staticcheck know and one of retrylint's own:
//
//	//nolint:retrylint                       every check
//	//nolint:bareretry,freshkey // why       some checks
//	//lint:ignore bareretry reason           one check; the reason is required
//	//lint:file-ignore bareretry reason      one check in the whole file
//	//retrylint:ignore bareretry reason      the same, read by no other tool
//	//retrylint:file-ignore bareretry reason
//
// A bare //nolint and //nolint:all silence every check too, since
// golangci-lint would drop the finding anyway.
//
// # What a directive covers
//
// A directive at the end of a line covers that line and whatever begins on
// it: after "for {" the loop, after "func f() {" the function, after the
// package clause the file. A directive on a line of its own covers the line
// below its comment and whatever begins there. So a directive in the doc
// comment of a function covers the function.
//
// # Where it is done
//
// Drivers differ: go vet and Bazel's nogo print what an analyzer reports and
// know of no directive. So the checks do it themselves: each wraps its Run
// in Check, which drops what is silenced and remembers which directives were
// of use. The unusedignore analyzer reports the others.
package suppress
