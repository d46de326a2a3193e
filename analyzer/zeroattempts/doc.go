// Package zeroattempts reports retries that may make no attempt at all.
//
// A loop that asks its bound before the first attempt does nothing when the
// bound is zero, and most of them then return an error variable that nobody has
// set: nil. A setting that was forgotten, or a 0 that was meant as "no retries",
// turns a payment into a silent success.
//
// # Before
//
//	func Send(ctx context.Context, order Order, attempts int) error {
//		var err error
//		for i := 0; i < attempts; i++ {
//			if err = send(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
// # After
//
//	func Send(ctx context.Context, order Order, attempts int) error {
//		if attempts < 1 {
//			return fmt.Errorf("attempts is %d, must be at least 1", attempts)
//		}
//		var err error
//		for i := 0; i < attempts; i++ {
//			if err = send(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
// # When it speaks
//
// The bound is a parameter that callers elsewhere set, what a flag or the
// environment says, a field of settings or the answer of a policy, and may be zero, or negative where the first attempt is
// no retry; nothing in the package compares or corrects it; and
// without a round of the loop the function returns nil for its error, or goes
// on to use a result that only the operation sets.
//
// # When it is silent
//
// A constant bound, a comparison anywhere, max, a bound that is asked after the
// attempt, and a return that is an error in any case.
//
// # The fix
//
// A bound below 1 is refused with an error before the loop; where that can't be
// written, max makes one attempt at least.
//
// # How to silence it
//
//	//retrylint:ignore zeroattempts the loader refuses less than 1
package zeroattempts
