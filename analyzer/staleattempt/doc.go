// Package staleattempt reports retried functions that are given the attempt's context and use an outer one.
//
// A retry library that hands a context to what it runs has put something into
// it: the time limit of the attempt, the deadline of the whole, the attempt's
// span and number. A call that is made with the context from outside goes on
// after the attempt has timed out, and its telemetry hangs on the wrong span.
// Both contexts have the same type and often nearly the same name, so that
// nothing else tells.
//
// # Before
//
//	func pay(ctx context.Context, charge *otelretry.Operation, client *Client, order Order) error {
//		return charge.Run(ctx, func(attemptCtx context.Context) error {
//			return client.Charge(ctx, order)
//		})
//	}
//
// # After
//
//	func pay(ctx context.Context, charge *otelretry.Operation, client *Client, order Order) error {
//		return charge.Run(ctx, func(attemptCtx context.Context) error {
//			return client.Charge(attemptCtx, order)
//		})
//	}
//
// # When it speaks
//
// The function given to a retry library has a context parameter, and the
// operation in it is called with a context variable from outside of the
// function. The fix puts the parameter's name in its place.
//
// # When it is silent
//
// The call uses the function's own context or one derived from it; the outer
// variable is set inside the function; the library hands on the very context
// that it was called with, so that both are the same.
//
// # The fix
//
// The attempt's own context is used, where its name means it there.
//
// # How to silence it
//
//	//retrylint:ignore staleattempt the audit record must outlive the attempt
package staleattempt
