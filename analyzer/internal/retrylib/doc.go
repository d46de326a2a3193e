// Package retrylib is the linter's knowledge of retry libraries: which of
// their functions run the caller's closure again after a failure, and what a
// call's options say about attempts, time, waits, classification and context.
//
// # The table
//
// table.tsv holds one row for each function, method, option, struct field and
// package variable that matters, with the signature it must have. [Lookup]
// finds the row of a function and answers only when the signature of the
// function at hand is the one in the table, so that another major version, a
// fork with the same path, or a stub is never taken for the real thing.
//
// The columns are: import path, receiver ("-" for none, "*T" for a pointer),
// name, kind, index of the closure, index of the context, protocol, effects,
// signatures (alternatives separated by " || "; "-" where the row is a field,
// literal or variable, or where the library's source was not at hand).
//
// # Effects
//
// What a call does to a policy is written in the table, not in code, as a list
// of field=value: attempts, deadline, delay, base, cap, jitter, classify, ctx,
// wait. A value is a constant, "?" for not known, "none", or an argument: $0
// is the first argument (for a field, what is assigned to it), $0+1 its value
// plus one, len($0)+1 its length plus one. After a comma follow exceptions:
// "attempts=$0,0:unbounded" means that a constant 0 is no bound. The other
// effects take over a whole policy or a part of it:
//
//	policy=$1    the policy that argument 1 carries (a decorator, a library that takes a policy object)
//	policy=recv  the policy that the receiver carries (builders, retriers, clients)
//	waits=$0     only the waits of the policy in argument 0: delay, base, cap, jitter
//	opts=1       arguments 1 and following are options
//	mix=0        arguments 0 and following are delay functions whose sum is waited
//	pick=0       arguments 0 and following are policies of several kinds, of which one may be for retries
//	func=$0.F    the closure is in field F of argument 0 (or of recv)
//
// Everything has a third value, not known, and it is the zero value: an option
// that can't be followed makes what it may change unknown, and a check that
// meets an unknown is silent.
package retrylib
