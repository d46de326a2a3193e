package otelretrygrpc

import (
	"context"
	"errors"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/retrykit/retrykit/otelretry"
)

// pushbackKey is the trailer by which a server says when to come back (gRFC
// A6, "Pushback").
const pushbackKey = "grpc-retry-pushback-ms"

// attemptsKey is the metadata by which a client says how many attempts came
// before (gRFC A6).
const attemptsKey = "grpc-previous-rpc-attempts"

// judged marks the error of a call with what the server said about trying
// again. What it leaves unmarked is the policy's classifiers to judge.
func judged(err error, trailer metadata.MD) error {
	if err == nil {
		return nil
	}
	if values := trailer.Get(pushbackKey); len(values) > 0 {
		ms, parsing := strconv.ParseInt(values[0], 10, 32) // an int32, says gRFC A6
		if len(values) > 1 || parsing != nil || ms < 0 {
			return otelretry.Permanent(err)
		}
		return hinted(err, time.Duration(ms)*time.Millisecond)
	}
	if s, ok := status.FromError(err); ok {
		for _, detail := range s.Details() {
			if info, ok := detail.(*errdetails.RetryInfo); ok && info.GetRetryDelay().IsValid() {
				return hinted(err, info.GetRetryDelay().AsDuration())
			}
		}
	}
	return err
}

// hinted applies a server's hint to the codes that are worth another attempt:
// a hint doesn't make an invalid argument valid.
func hinted(err error, wait time.Duration) error {
	switch status.Code(err) {
	case codes.Unavailable, codes.ResourceExhausted:
		return otelretry.RetryAfter(wait, err)
	}
	return err
}

// withMetadata adds what an attempt tells the server.
func (i *Interceptor) withMetadata(ctx context.Context) context.Context {
	if n := otelretry.AttemptNumber(ctx); n > 1 {
		ctx = metadata.AppendToOutgoingContext(ctx, attemptsKey, strconv.Itoa(n-1))
	}
	if i.keyName == "" {
		return ctx
	}
	if sent, _ := metadata.FromOutgoingContext(ctx); len(sent.Get(i.keyName)) > 0 {
		return ctx
	}
	if key := otelretry.IdempotencyKey(ctx); key != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, i.keyName, key)
	}
	return ctx
}

// withStatus makes sure that the error of a request has a gRPC status, as
// callers of gRPC expect, also when no attempt gave one.
func withStatus(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	code := codes.Unknown
	switch {
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, otelretry.ErrBreaker), errors.Is(err, otelretry.ErrBudget):
		code = codes.Unavailable
	}
	return &statusError{error: err, status: status.New(code, err.Error())}
}

// statusError is an error with a status of its own.
type statusError struct {
	error
	status *status.Status
}

func (e *statusError) Unwrap() error { return e.error }

// GRPCStatus is what status.FromError asks for.
func (e *statusError) GRPCStatus() *status.Status { return e.status }
