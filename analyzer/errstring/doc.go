// Package errstring reports retries that are decided by the text of an error.
//
// The text of an error is for people. It changes with the next release of a
// library, with a wrapper that puts words around it, with the language of the
// operating system or of the server. Then a transient failure is no longer
// retried, or, worse, a permanent one is. Nothing fails to compile, and the
// tests, which make the text themselves, still pass.
//
// # Before
//
//	for attempt := range 3 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		if !strings.Contains(err.Error(), "connection refused") {
//			return err
//		}
//		time.Sleep(time.Duration(attempt) * time.Second)
//	}
//
// # After
//
//	for attempt := range 3 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		if !errors.Is(err, syscall.ECONNREFUSED) {
//			return err
//		}
//		time.Sleep(time.Duration(attempt) * time.Second)
//	}
//
// # When it speaks
//
// A look at an error's text is reported where it decides about a retry: in a
// loop, when one way leads back to the operation and another leaves; in a
// predicate that such a loop asks; in a function that marks errors as
// permanent or retryable for a retry library, or that a call of one is given to
// say which failures to retry; and in a predicate that is named for it, such as
// isRetryable. Looks are strings.Contains and its relatives,
// comparisons, switches, regular expressions, and look-ups in a map. Where the
// text is that of a well-known failure, the message names what to use instead.
//
// # When it is silent
//
// A look that only chooses a log line or another message decides nothing, and
// neither does one outside a retry. A text that comes from a field of a typed
// error, found by errors.As or a type assertion, is the interface of whatever
// sent it, and is left alone. So are the texts of net/http for too many
// redirects, a scheme that it does not know and a header that is invalid, which
// have neither a sentinel nor a type.
//
// # How to silence it
//
// Where a server gives nothing but a text, say so:
//
//	//retrylint:ignore errstring the v1 API sends plain text only
package errstring
