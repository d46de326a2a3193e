// Package retrysite finds the places where a Go package runs an operation
// again because it failed, and says what can be known about each of them.
// It reports nothing: checks require its Analyzer and read its Result.
//
// # What a site is
//
// Success leaves, failure comes back to the same operation on the same
// target. A wait, a counter or a name such as "retry" makes nothing a site.
// There are three ways in, with one result:
//
//   - a loop, in any of Go's forms, goto and simple recursion included;
//   - a call of a known retry library (see package retrylib) that runs the
//     caller's function;
//   - a call of a function that is known to retry one of its parameters,
//     because that was inferred (here or in another package, by a fact) or
//     because its doc comment has the directive
//     //retrylint:retrier closure=N [attempts=N] [deadline] [jitter].
//
// # How a loop is recognised
//
// For a function that has a loop and in it a call that can fail, the control
// flow graph is built (go/cfg, for that function only) and walked twice from
// the call: once as if it had failed, once as if it had succeeded. The walk
// knows what the outcome makes of the error variable, its copies and the
// bools computed from it, so that it takes only the branches that can be
// taken. Failure must be able to come back to the call, success must not be
// able to, except by a look at the call's own result (a status).
// Then the operation's receiver and arguments must not move: no value of the
// loop's range, no Next, no random draw.
//
// What can't be followed is left alone. A call that is not resolved, an
// unusual shape, a target that may have moved: all of them mean that there is
// no site, or that the field in question stays at its zero value, which
// always means "not known".
//
// # What it costs
//
// The inspector is the only analyzer that this one requires. A package that
// imports nothing of interest is given up at once; the others are searched
// with the inspector, and a control flow graph is built only for a function
// in which a loop holds a call that can fail. Facts are derived from syntax
// and are a few bytes each.
package retrysite
