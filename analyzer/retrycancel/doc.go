// Package retrycancel reports retries that go on after their context has ended.
//
// Once a context is done, every attempt made under it fails at once. A retry
// that does not look at the context makes all of them nevertheless, and waits
// between them; a loop without a bound spins for ever. The caller who
// cancelled, because a user left or a deadline passed, is kept waiting, and a
// process that shuts down hangs.
//
// # Before
//
//	for range 5 {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//	return err
//
// # After
//
//	for range 5 {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		if ctx.Err() != nil {
//			return errors.Join(ctx.Err(), err)
//		}
//		time.Sleep(delay)
//	}
//	return err
//
// # When it speaks
//
// The way back is followed as if the operation had failed with the context's
// own error, be it a caller's or one that was given a timeout before the first
// attempt. Reported is a way on which nothing asks the context and no look at
// the error could tell it from others; a comparison with context.Canceled or
// context.DeadlineExceeded that leads back; one with the code of gRPC's for
// either, where the attempts are not counted; a receiving loop that nothing else
// ends; and an exported function that retries whatever its callers' function
// returns.
//
// # When it is silent
//
// ctx.Err(), a select on ctx.Done(), a helper that is given the context, a
// predicate or a status that may exclude the context's error: each of them is
// enough. So is a deadline of the attempt's own, and a context that can't end
// because it was made with context.WithoutCancel.
//
// # The fix
//
// A sleep becomes a select that the context ends. Without one, the context is
// asked before each attempt, and its error returned with the last one. None is
// offered where the function has no error to return and something follows the
// loop.
//
// # How to silence it
//
//	//retrylint:ignore retrycancel the server is told by the last attempt
package retrycancel
