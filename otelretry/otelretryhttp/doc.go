// Package otelretryhttp retries HTTP requests: a [Transport] is an
// [http.RoundTripper] that sends each request as often as a policy of package
// otelretry allows.
//
//	payments, err := otelretry.New("payments", otelretry.WithMaxAttempts(4))
//	transport, err := otelretryhttp.NewTransport(http.DefaultTransport, payments)
//	client := &http.Client{Transport: transport}
//
// # What is sent again
//
// A request is repeated after any failure that the policy allows when that
// does no harm: its method is idempotent by definition (GET, HEAD, OPTIONS,
// TRACE, PUT, DELETE: RFC 9110, section 9.2.2), or it carries an
// Idempotency-Key. [WithIdempotencyKeys] adds a key to those that need one.
//
// Any other request, such as a plain POST, is repeated only when the server
// can't have acted on it: nothing of it was written to a connection, HTTP/2
// refused the stream, or the answer is 429. What was written, net/http tells by
// httptrace; with a base that doesn't, only a failure to connect counts as that.
//
// And a request is repeated only when its body can be: it has none, it has a
// GetBody (as http.NewRequest gives to bytes and strings), or it says that it
// is short enough to keep in memory (see [WithBodyBuffer]). Every other body
// is sent once, as it comes. Requests are never hedged, whatever the policy says.
//
// # What comes back
//
// The transport keeps the contract of http.RoundTripper: a response is not an
// error, whatever its status. When the policy gives up on a status, the caller
// gets the last response, with its body still readable; when there was no
// response, or the caller's context ended, it gets an [otelretry.Error].
// Responses in between are drained and closed, so that their connections are
// used again. That is bounded: by 64 KiB, and by a tenth of a second for a page
// that stalls, after which the policy decides without the rest of it.
//
// The context of the last attempt stays alive until its body is read to the end
// or closed. The policy's deadline and attempt timeout go on applying to it, as
// http.Client.Timeout does: give a stream of events or a long download a policy
// of its own. A failure while the caller reads the body is the caller's to
// handle. http.Client.Timeout ends waits as well as attempts; the deprecated
// Request.Cancel ends an attempt, and no other follows.
//
// A status of 400 or above is an attempt that failed, as a [StatusError]: the
// policy's classifiers decide what becomes of it, and telemetry has the status
// as its error.type.
//
// # Beneath it
//
// http.Transport repeats a request by itself, unseen, when a kept connection
// turns out to be dead before the first byte of an answer and the request is
// idempotent or carries an Idempotency-Key. The server then sees one attempt
// more than the telemetry tells. Where both counts must agree, give the base
// DisableKeepAlives.
//
// # With otelhttp
//
// Put the instrumentation below the retries, so that each attempt has the span
// of its own send, and let the policy make none (otelretry.NoAttempts):
//
//	base := otelhttp.NewTransport(otelretryhttp.CountResends(http.DefaultTransport))
//	transport, err := otelretryhttp.NewTransport(base, policy)
//
// CountResends marks the spans of repeated sends with
// http.request.resend_count. Without otelhttp the transport sets it on the
// policy's own attempt spans.
package otelretryhttp
