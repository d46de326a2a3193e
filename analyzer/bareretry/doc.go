// Package bareretry reports retries that never look at what failed.
//
// An error says whether trying again can help. A loop that retries every error
// sends a request that was refused for good (400, 403, a validation error, a
// broken constraint) as often as one that met a restart: it wastes the
// attempts, hides the real error behind the wait, and multiplies load in an
// outage. What may be retried is an allowlist: errors known to be transient.
// All others go back to the caller at once.
//
// # Before
//
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}
//
// # After
//
//	for attempt := 0; attempt < 4; attempt++ {
//		if err = client.Charge(ctx, order); err == nil {
//			return nil
//		}
//		if !errors.Is(err, ErrUnavailable) {
//			return err
//		}
//		time.Sleep(time.Second)
//	}
//
// # When it is silent
//
// Anything that looks at the failure between the operation and the next
// attempt is enough: errors.Is, errors.As, a type switch, a sentinel, a status
// or code, a predicate, a permanent marker of a retry library, a predicate
// given to the library. So is an operation that can fail in one way only, and
// one that does no more than connect, with net.Dial, a net.Dialer or a function
// that gives a net.Conn and nothing else. One more attempt after another call
// has done away with what may have been in the way is none. The check is silent
// too where the error reaches something that may decide and
// can't be followed, in pollers, workers and daemons, and where failure
// is not an error.
//
// A look of which nothing comes but a line in a log, a count for those who watch
// or an error that is wrapped is not enough, and nor is one that asks whether an
// answer leads to another place.
//
// # How to silence it
//
//	//retrylint:ignore bareretry every error of this call is transient
package bareretry
