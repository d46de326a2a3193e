// Package otelretrygrpc retries gRPC calls: client interceptors that make each
// call as often as a policy of package otelretry allows.
//
//	inventory, err := otelretry.New("inventory", otelretry.WithMaxAttempts(4))
//	retries, err := otelretrygrpc.New(inventory, otelretrygrpc.WithIdempotentMethods("/inventory.v1.Items/Get"))
//	conn, err := grpc.NewClient(target,
//		grpc.WithDisableRetry(),
//		grpc.WithChainUnaryInterceptor(retries.Unary()),
//		grpc.WithChainStreamInterceptor(retries.Stream()))
//
// # What is made again
//
// UNAVAILABLE is retried for every method. DEADLINE_EXCEEDED is retried for
// methods named by [WithIdempotentMethods] and, with [WithIdempotencyKeys], for
// all of them: the server may have acted. RESOURCE_EXHAUSTED is retried when
// the server says when. Any other code is the policy's classifiers to judge,
// which by default end the request.
//
// The server's word counts: grpc-retry-pushback-ms in the trailer (gRFC A6)
// gives the least wait, or forbids another attempt when it is negative or not a
// number; so does google.rpc.RetryInfo in the status. From the second attempt
// on, the call has grpc-previous-rpc-attempts in its metadata.
//
// # Streams
//
// A call with one request and a stream of answers is made again until the first
// message, or the header, has been received; from then on its errors are the
// caller's. The policy's time limits bound the time to that first message, not
// the stream, which lives as long as the context of the caller. Where the
// client streams, only opening the stream is retried, since what was sent on it
// is gone.
//
// # With a service config that retries
//
// gRPC can retry by itself, by a retryPolicy in the service config. Attempts
// would multiply, so for such methods the interceptors step aside: they make
// the call once, with its telemetry, and log a warning for each method. Switch
// one of the two off; grpc.WithDisableRetry switches off gRPC's, together with
// [WithServiceConfigRetriesOff], which tells the interceptors so.
package otelretrygrpc
