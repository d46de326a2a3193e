package otelretrygrpc

import (
	"context"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/retrykit/retrykit/otelretry"
)

// Unary gives the interceptor for calls with one request and one answer. The
// error of a call is an [otelretry.Error] with the gRPC status of the last
// attempt.
func (i *Interceptor) Unary() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
		return withStatus(i.operation(method).Run(ctx, func(ctx context.Context) error {
			var trailer metadata.MD
			err := invoke(i.withMetadata(ctx), method, req, reply, cc, append(slices.Clip(options), grpc.Trailer(&trailer))...)
			if err != nil && i.stepsAside(ctx, cc, method) { // asked after the call: before the first, gRPC may not have its config yet
				return otelretry.Permanent(err)
			}
			return judged(err, trailer)
		}))
	}
}
