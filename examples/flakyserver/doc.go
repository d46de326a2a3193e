// Package flakyserver is an HTTP server whose failures are scripted, to run
// retries against.
//
// A [Server] serves routes, and each route has a [Behaviour]: a function that
// decides what the n-th attempt of one request meets. A request is known by the
// {id} of its path, so that the server can tell the second attempt of one
// request from the first attempt of another. The behaviours of this package
// are the ones that a retry policy has to tell apart:
//
//	First(4, Down())       recovers on the 5th attempt, after four 503
//	Missing()              404, however often one asks
//	Throttled(3*time.Second) 429 with Retry-After: 3, until one has waited that long
//	Down()                 503 for ever
//	Hangs()                no answer until the caller goes away
//	Sometimes(0.2)         503 for a random fifth of the attempts
//	Mix(...)               a share of the requests meets this, another share that
//
// [Ledger] is a payment endpoint that is safe to retry: it stores the result of
// a charge under the caller's idempotency key and answers a repeat with it.
//
// All randomness comes from the seed, the route, the request's id and the
// attempt's number, and from nothing else. The order in which concurrent
// requests arrive changes nothing: the same seed gives the same failures.
package flakyserver
