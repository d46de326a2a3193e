// Package unbounded reports retries that nothing ends.
//
// A loop that repeats a call until it succeeds never comes back from an
// outage, a wrong address or a revoked password. Its caller waits with it, and
// so does whoever waits for the caller; goroutines, connections and memory pile
// up until the process is killed. Nobody sees an error, since none is ever
// returned.
//
// # Before
//
//	for {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//
// # After
//
//	for attempt := 1; ; attempt++ {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		if attempt == maxAttempts {
//			return fmt.Errorf("after %d attempts: %w", attempt, err)
//		}
//		time.Sleep(delay)
//	}
//
// # When it speaks
//
// Neither the attempts nor the time are limited, the loop never looks at a
// context, and nothing but the error decides whether it ends. It also speaks
// where a loop has a bound but takes its counter back on some failures.
//
// # When it is silent
//
// Any counter, clock, flag, channel, context or policy that can end the loop
// is enough. So is a function without results: it runs for as long as its
// owner, as a reconnect loop does, also where it hands its goroutine the
// connection.
//
// # How to silence it
//
//	//retrylint:ignore unbounded the process is of no use without the database
package unbounded
