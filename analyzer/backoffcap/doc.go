// Package backoffcap reports waits that grow without limit.
//
// A wait that doubles reaches an hour after 12 attempts from one second, and
// overflows after 34: shifted too far, a time.Duration becomes negative or
// zero, and a negative wait is none at all, so that a loop that was meant to be
// gentle spins. A power of floats turned into a Duration fails in the same
// way. Long before, nobody is left to wait for the answer.
//
// # Before
//
//	func backoff(attempt int) time.Duration {
//		return time.Second << attempt
//	}
//
// # After
//
//	func backoff(attempt int) time.Duration {
//		return min(time.Second<<min(attempt, 16), 30*time.Second)
//	}
//
// # When it speaks
//
// The wait of a retry grows by doubling, shifting, a power or as the sum of the
// two before, and neither a comparison nor a min limits it. It is reported where it is computed: in the
// loop, or in the function of the package that computes it, if a retry of the
// package uses that function or its name, type or package speaks of retries or
// backing off. So is a shift or a power that overflows before it is compared with
// its limit, where nothing limits the number of the attempts: what is negative is
// under every limit.
//
// # When it is silent
//
// A min, a comparison of the wait or of the attempt's number, a table, or a
// part that can't be followed. A comparison with 0 is no limit. So is it where
// the bound on attempts is a constant under which the wait stays below 5
// minutes, where a function literal is handed on beside a maximum, and where a
// caller limits what a method of an interface, or a function that no other
// package can call, computes.
//
// # The fix
//
// The wait is limited to 30 seconds where it grows, and the number that it is
// shifted or raised by to 16, so that it can't overflow before. None is offered
// where the function knows a longer wait, or has a setting for the longest.
//
// # How to silence it
//
//	//retrylint:ignore backoffcap callers make 4 attempts
package backoffcap
