// Package lastsleep reports waits after the last attempt.
//
// N attempts have N-1 waits between them. A loop that waits at the end of each
// round waits once more after the last one has failed, and only then tells its
// caller. With a growing backoff that is the longest wait of all: four attempts
// with 1, 2, 4 and 8 seconds spend more than half of the time on nothing.
//
// # Before
//
//	for i := 0; i < 4; i++ {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second << i)
//	}
//	return err
//
// # After
//
//	for i := 0; i < 4; i++ {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		if i < 4-1 {
//			time.Sleep(time.Second << i)
//		}
//	}
//	return err
//
// # When it speaks
//
// There is a way from the failed operation through the wait to the bound on
// attempts that ends the loop, and nothing on it asked the counter before the
// wait. The fix puts a time.Sleep under such a question where the loop counts
// from 0 to a bound.
//
// # When it is silent
//
// A question about the counter before the wait, in whatever form; a wait
// before the attempt instead of after it; a bound that is only a time; and a
// loop that is followed by one more attempt. Less than 10 milliseconds are
// nothing to skip.
//
// # How to silence it
//
//	//retrylint:ignore lastsleep the caller tries again at once
package lastsleep
