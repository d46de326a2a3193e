package otelretry

import "time"

// Permanent marks err as not worth another attempt, whatever the classifiers
// say. The mark survives wrapping; the outermost mark wins. The text and the
// chain of err stay as they are. Permanent(nil) is nil.
func Permanent(err error) error { return mark(err, ClassPermanent, 0) }

// Retryable marks err as transient: the same call may succeed later, and
// making it again does no harm. Mark failures that your own code recognises
// and the classifiers don't. The mark survives wrapping; the outermost mark
// wins. Retryable(nil) is nil.
func Retryable(err error) error { return mark(err, ClassTransient, 0) }

// Ambiguous marks err as one after which the server may have acted: it is
// retried only for an operation that is [Idempotent] or whose request carries
// an idempotency key. The mark survives wrapping; the outermost mark wins.
// Ambiguous(nil) is nil.
func Ambiguous(err error) error { return mark(err, ClassAmbiguous, 0) }

// RetryAfter marks err as transient and says how long the server asked to
// wait before the next attempt; see [ParseRetryAfter]. The policy waits the
// longer of d and its own backoff, with a little jitter on top, and gives up
// with [ErrPushback] when that is more than WithMaxRetryAfter or the deadline
// allow. A negative d counts as 0. RetryAfter(d, nil) is nil.
func RetryAfter(d time.Duration, err error) error {
	return mark(err, ClassTransient, max(d, 0))
}

func mark(err error, class Class, after time.Duration) error {
	if err == nil {
		return nil
	}
	return &markedError{err: err, class: class, after: after}
}

// markedError carries what the function knows about its own failure.
type markedError struct {
	err   error
	after time.Duration
	class Class
}

func (e *markedError) Error() string { return e.err.Error() }
func (e *markedError) Unwrap() error { return e.err }

// RetryAfter gives the server's hint; 0 when there was none.
func (e *markedError) RetryAfter() time.Duration { return e.after }
