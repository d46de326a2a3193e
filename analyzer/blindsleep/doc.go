// Package blindsleep reports waits between attempts that nothing can interrupt.
//
// A plain time.Sleep between two attempts goes on after the caller has gone
// away, the deadline has passed or the process was told to stop. Shutdown
// hangs for the rest of the wait, and the next attempt is made for nobody. The
// wait belongs into a select with the context's Done channel.
//
// # Before
//
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//
// # After
//
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		select {
//		case <-ctx.Done():
//			return ctx.Err()
//		case <-time.After(delay):
//		}
//	}
//
// # When it is silent
//
// A wait in a select with another channel is fine, as is a helper that selects
// on the context, and a sleep that runs only where there is no context to
// watch. So is the start-up of a program in main, before anything is served.
// Pollers and workers are reported only where the wait ignores a context that
// their own operation uses. What is received from a timer that was stopped, or
// that was made with no time to wait, is no wait, nor are less than 10
// milliseconds, nor is one in a round in which the operation does not run.
//
// With -blindsleep.reachable only waits are reported that ignore a context
// which is in scope: a parameter, a field, or a request's Context().
//
// # The fix
//
// A sleep that is a statement becomes a select of a timer and the context, with a
// return of the context's error. None is offered where no context is in scope, or
// the function has no error to return and something follows the loop.
//
// # How to silence it
//
//	//retrylint:ignore blindsleep at most 10 ms
package blindsleep
