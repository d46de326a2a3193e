// Package nojitter reports waits that are the same for every client.
//
// When a server fails, all of its clients fail at the same moment. If each of
// them waits for exactly a second, they all come back in the same
// millisecond, and again a second later, in waves that are as high as the first.
// Growing waits do not help: the waves only get rarer. Of 1000 clients that
// fail together, 1000 come back in the same tenth of a second without jitter,
// and 155 with full jitter.
//
// # Before
//
//	for attempt := range 5 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second << attempt)
//	}
//	return err
//
// # After
//
//	for attempt := range 5 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(rand.N(time.Second << attempt)) // math/rand/v2: full jitter
//	}
//	return err
//
// # When it speaks
//
// The wait between two attempts on a remote dependency is computed from
// constants, settings and the number of the attempt alone. In a function that
// retries what its callers hand in, it speaks only where the wait doubles. A
// growing delay that is stored for later in a field named for it is reported
// as well, and so is a function that computes a doubling wait where the package
// waits for it in some other way, and draws nothing at random.
//
// # When it is silent
//
// Any randomness that reaches the wait is enough, also in a helper, and so is
// a part of the computation that can't be followed: a parameter, a method of
// another package. Waits of less than 10 ms, and those for local operations,
// are left alone.
//
// # The fix
//
// The wait is drawn between none and itself with math/rand/v2, where it is waited
// for. Where it may be zero, a max keeps rand.N from panicking. None is offered for
// a ticker, a library's setting, or Go before 1.22.
//
// # How to silence it
//
//	//retrylint:ignore nojitter there is one client only
package nojitter
