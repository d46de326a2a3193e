// Package nobackoff reports failures that go straight back to the operation.
//
// A server that refuses a connection or answers 503 needs time. A client that
// repeats the call at once uses up its attempts within milliseconds, all of
// them against the same outage, and adds its load to whatever made the server
// fail. Thousands of such clients keep it down.
//
// # Before
//
//	for attempt := 0; attempt < 5; attempt++ {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//	}
//	return err
//
// # After
//
//	for attempt := 0; attempt < 5; attempt++ {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		select {
//		case <-time.After(rand.N(delay << attempt)):
//		case <-ctx.Done():
//			return errors.Join(ctx.Err(), err)
//		}
//	}
//	return err
//
// # When it speaks
//
// A failure of a call that leaves the process, or of a function that the
// caller hands in, comes back to it, and nothing on the way can wait.
//
// # When it is silent
//
// A wait on any way back is enough, also one in a helper, a limiter, or a
// function that can't be seen and may wait. With two attempts there is one
// retry only, as with a flag that lets the loop come back once. A retry that is
// made for one named failure (a stale connection, a conflict, a redirect to
// another node) is often right to go on at once, and so is one that comes back
// with another operation: a rollback instead of a commit, a parent folder. A
// predicate that is named for retrying (isRetryable, transient, temporary) names
// no single failure, and is no reason to be silent; nor is a sentinel or a text
// that speaks of a retry, of a timeout, or of what is unavailable, refused,
// throttled or overloaded, all of which last. A function that the caller hands in, and that is told of the attempts so far, may go elsewhere each time.
//
// # How to silence it
//
//	//retrylint:ignore nobackoff the proxy in front of it paces us
package nobackoff
