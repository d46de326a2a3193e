// Package nodeadline reports retries that nothing bounds in time.
//
// Attempts multiply the time that one call may take. Under
// context.Background(), without a timeout for each attempt, one hanging
// connection holds the request, its goroutine and its memory for ever, and the
// bound on attempts is never reached. A retry needs a deadline for the whole,
// or a count and a timeout for each attempt.
//
// # Before
//
//	ctx := context.Background()
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}
//
// # After
//
//	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
//	defer cancel()
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}
//
// # When it is silent
//
// The context comes from the caller, a field or anything that can't be traced;
// a deadline or timeout is set anywhere on its way; elapsed time is checked;
// the library has a limit; a retrier of one's own asks a policy whether to go
// on; or attempts are counted and each has a timeout
// (http.Client.Timeout, a dial timeout, WithTimeout in the attempt). Daemons,
// which tell nobody how it went and stop when they are told to, pollers and
// operations that don't block are left alone.
//
// # The fix
//
// A context.Background at the call, or in a variable that only the retry uses,
// gets a timeout of 30 seconds for the whole. None is offered where nothing counts
// the attempts and no wait looks at that context: such a retry would go on for
// ever once it has ended.
//
// # How to silence it
//
//	//retrylint:ignore nodeadline the operator stops it
package nodeadline
