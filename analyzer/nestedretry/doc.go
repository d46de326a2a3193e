// Package nestedretry reports retries inside of what is retried.
//
// Attempts multiply: three at each of three layers are 27 calls at the bottom
// for one at the top, all of them while the bottom is failing. The waits add up
// as well, so that the outer layer's caller has long given up when the inner
// one starts its last round. One layer has to retry, and it is the one that
// knows what the request is worth.
//
// # Before
//
//	func upload(ctx context.Context, order Order) (err error) {
//		for range 4 {
//			if err = send(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
//	func save(ctx context.Context, order Order) (err error) {
//		for range 3 {
//			if err = upload(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
// # After
//
//	func upload(ctx context.Context, order Order) (err error) {
//		for range 4 {
//			if err = send(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
//	func save(ctx context.Context, order Order) error {
//		return upload(ctx, order)
//	}
//
// # When it speaks
//
// The operation of a retry leads, through functions whose error comes back to
// it, to another retry: one of the package, of another package of the module,
// or of a client of a known library that retries by itself. The message gives
// the product of the attempts, where both are constants, and the chain of calls.
//
// # When it is silent
//
// A poll, a pager or a worker around a retry is none itself. An inner retry
// whose error does not come back does not drive the outer one, and a function
// that calls itself is not counted twice. A client that was told not to retry,
// or of which nobody knows how often it does, is none, and in another package
// an outer retry of one named error multiplies nothing. Where each attempt takes
// the next target of a list, the retry inside is that target's own. One that
// goes by the clock is silent too where the outer attempt is given a time, and so
// is one further down that is left out for some of those it is called for.
//
// # How to silence it
//
//	//retrylint:ignore nestedretry the inner one is for the token only
package nestedretry
