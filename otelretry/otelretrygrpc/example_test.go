package otelretrygrpc_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrygrpc"
)

func ExampleNew() {
	inventory, err := otelretry.New("inventory", otelretry.WithMaxAttempts(4))
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(inventory,
		otelretrygrpc.WithIdempotentMethods("/inventory.v1.Items/Get"))
	if err != nil {
		panic(err)
	}
	conn, err := grpc.NewClient("dns:///inventory.example:443",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(retries.Unary()),
		grpc.WithChainStreamInterceptor(retries.Stream()))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	fmt.Println(conn.Target())
	// Output: dns:///inventory.example:443
}

// serve starts a server that answers by a script, and connects to it.
func serve(script []answer, options ...grpc.DialOption) (client testgrpc.TestServiceClient, calls func() []metadata.MD, stop func()) {
	listener, srv, s := bufconn.Listen(1<<16), grpc.NewServer(), &server{script: script}
	testgrpc.RegisterTestServiceServer(srv, s)
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///bufconn", append(options,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))...)
	if err != nil {
		panic(err)
	}
	return testgrpc.NewTestServiceClient(conn), s.seen, func() {
		_ = conn.Close()
		srv.Stop()
		<-served
	}
}

// interceptor makes interceptors that wait a few milliseconds.
func interceptor(options ...otelretrygrpc.Option) *otelretrygrpc.Interceptor {
	policy, err := otelretry.New("items", otelretry.WithBackoff(otelretry.FullJitter(time.Millisecond, 10*time.Millisecond)))
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(policy, options...)
	if err != nil {
		panic(err)
	}
	return retries
}

var (
	unavailable = answer{err: status.Error(codes.Unavailable, "shutting down")}
	late        = answer{err: status.Error(codes.DeadlineExceeded, "too slow")}
)

func ExampleInterceptor_Unary() {
	client, calls, stop := serve([]answer{unavailable, {}}, grpc.WithChainUnaryInterceptor(interceptor().Unary()))
	defer stop()
	_, err := client.UnaryCall(context.Background(), &testgrpc.SimpleRequest{})
	fmt.Println(err, len(calls()))
	// Output: <nil> 2
}

func ExampleInterceptor_Stream() {
	client, calls, stop := serve([]answer{unavailable, {messages: 3}}, grpc.WithChainStreamInterceptor(interceptor().Stream()))
	defer stop()
	stream, err := client.StreamingOutputCall(context.Background(), &testgrpc.StreamingOutputCallRequest{})
	if err != nil {
		panic(err)
	}
	messages := 0
	for _, err = stream.Recv(); err == nil; _, err = stream.Recv() {
		messages++
	}
	fmt.Println(messages, err, len(calls()))
	// Output: 3 EOF 2
}

func ExampleWithIdempotentMethods() {
	for _, retries := range []*otelretrygrpc.Interceptor{
		interceptor(),
		interceptor(otelretrygrpc.WithIdempotentMethods("/grpc.testing.TestService/UnaryCall")),
	} {
		client, calls, stop := serve([]answer{late, {}}, grpc.WithChainUnaryInterceptor(retries.Unary()))
		_, err := client.UnaryCall(context.Background(), &testgrpc.SimpleRequest{})
		fmt.Println(len(calls()), status.Code(err))
		stop()
	}
	// Output:
	// 1 DeadlineExceeded
	// 2 OK
}

func ExampleWithIdempotencyKeys() {
	client, calls, stop := serve([]answer{late, {}},
		grpc.WithChainUnaryInterceptor(interceptor(otelretrygrpc.WithIdempotencyKeys("")).Unary()))
	defer stop()
	_, err := client.UnaryCall(context.Background(), &testgrpc.SimpleRequest{})
	first, second := calls()[0].Get(otelretrygrpc.DefaultKeyMetadata), calls()[1].Get(otelretrygrpc.DefaultKeyMetadata)
	fmt.Println(err, len(first), first[0] == second[0])
	// Output: <nil> 1 true
}

func ExampleWithServiceConfigRetriesOff() {
	inventory, err := otelretry.New("inventory")
	if err != nil {
		panic(err)
	}
	retries, err := otelretrygrpc.New(inventory, otelretrygrpc.WithServiceConfigRetriesOff())
	if err != nil {
		panic(err)
	}
	options := []grpc.DialOption{grpc.WithDisableRetry(), grpc.WithChainUnaryInterceptor(retries.Unary())}
	fmt.Println(len(options))
	// Output: 2
}
