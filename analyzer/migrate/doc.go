// Package migrate reports plain retry loops that otelretry could replace, and offers to do it.
//
// A loop that tries a call a fixed number of times with a fixed wait is a
// policy written out: who reads the code has to find it, nobody sees what it
// costs, and it lacks what the policy would have, such as a deadline and
// jitter. The fix puts the same number of attempts and the same wait into an
// otelretry operation, made once at start-up, and the call into a function
// that gets the attempt's context.
//
// The check is off by default and finds no fault. The fix keeps what the loop
// does: it retries every error, and has no deadline. Afterwards, say which
// errors are worth a retry, and set a deadline. It differs in this: no wait is made
// after the last attempt, a context that is done ends the wait, a cancelled
// call is not retried, and the error says after how many attempts it gave up;
// errors.Is and errors.As see the last error as before.
//
// For the fixed code to compile the module must have otelretry and what it
// imports: go get github.com/retrykit/retrykit/otelretry, also where go.mod
// knows the module as a tool already.
//
// # Before
//
//	func pay(ctx context.Context, client *Client, order Order) error {
//		var err error
//		for attempt := 0; attempt < 4; attempt++ {
//			if err = client.Charge(ctx, order); err == nil {
//				return nil
//			}
//			time.Sleep(time.Second)
//		}
//		return err
//	}
//
// # After
//
//	func pay(ctx context.Context, client *Client, order Order) error {
//		return payOperation.Run(ctx, func(ctx context.Context) error {
//			return otelretry.Retryable(client.Charge(ctx, order))
//		})
//	}
//
//	var payOperation = func() *otelretry.Operation {
//		policy, err := otelretry.New("client", otelretry.WithMaxAttempts(4),
//			otelretry.WithBackoff(otelretry.Constant(time.Second)), otelretry.WithoutDeadline())
//		if err != nil {
//			panic(err) // the settings are constants
//		}
//		return policy.Operation("Charge")
//	}()
//
// # When it is silent
//
// Anything but this shape is left alone: more in the loop than the call, the
// check of its error and the wait; a bound or a wait that is not constant; a
// call that uses the loop's variable or has no context parameter; an error
// that is looked at; a function in which the loop is not the last thing before
// the return of the error.
//
// # How to silence it
//
//	//retrylint:ignore migrate this one stays as it is
package migrate
