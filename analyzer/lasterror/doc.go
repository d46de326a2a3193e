// Package lasterror reports retries that give up without the last error.
//
// When the attempts are used up, the last error is the one thing that says
// why: a refused connection, a status, a name that does not resolve. An error
// that says "too many retries" and nothing else sends whoever is on call to
// the logs of another team. An error that has the cause as text only can't be
// asked with errors.Is and errors.As, so that a caller can't tell a full disk
// from a wrong password. And nil says that it worked.
//
// # Before
//
//	for range 3 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//	return errors.New("giving up after 3 attempts")
//
// # After
//
//	for range 3 {
//		if err = send(ctx, order); err == nil {
//			return nil
//		}
//		time.Sleep(delay)
//	}
//	return fmt.Errorf("giving up after 3 attempts: %w", err)
//
// # When it speaks
//
// The error of the operation is followed along every way that leads to a
// return once the attempts, the time or the context are at their end. Reported
// is a return of
//
//   - an error that holds it as text only: %v instead of %w, err.Error() in a
//     struct;
//   - a new error, or one of the package's, that knows nothing of it;
//   - nil, as if the operation had succeeded;
//   - the context's error alone, where the function's documentation promises
//     the last error, or where the function itself gave the context its deadline
//     and has told nobody what failed;
//   - a variable that is always nil, because the loop declares another of the
//     same name with :=;
//   - false, where the error was used for nothing.
//
// The fix turns the %v or %s that shows the error into %w.
//
// # When it is silent
//
// An error that is wrapped, joined, appended to a list, stored in a field or
// sent on a channel is kept. So is one that is handed to a function that can't
// be seen and that gives an error back. An error of the package's that is
// returned after the cause was logged, and a nil after it was logged, are taken
// for intended, as is a nil that an option of the function's chooses, what a
// timer's or its own deadline's end gives where only one failure comes back, and any error where only
// one comes back that is compared with ==, whose name is all that it says. Ways
// out that the error itself decides (a permanent failure) are not giving up, and
// a return where the error was found to be a certain one says the same in other
// words.
//
// # The fix
//
// The verb that shows the last error as text becomes %w.
//
// # How to silence it
//
//	//retrylint:ignore lasterror the cause is in the audit log
package lasterror
