// Grpcclient gives a gRPC client retries. The code that makes calls does not
// change: the interceptors are given to grpc.NewClient. Its server is in the
// same process, and fails twice before it answers.
//
//	go run ./grpcclient
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrygrpc"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &server{failures: 2, code: codes.Unavailable}, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run asks the server for its health once, and prints what it answered and how
// many attempts that took.
func run(ctx context.Context, s *server, out io.Writer) (err error) {
	listener := bufconn.Listen(64 << 10)
	srv := grpc.NewServer()
	healthpb.RegisterHealthServer(srv, s)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(listener) }()
	defer func() {
		srv.Stop()
		err = errors.Join(err, <-served)
	}()

	conn, err := dial(func(context.Context, string) (net.Conn, error) { return listener.Dial() })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	answer, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil {
		return err // why it gave up, after how many attempts, and the last status
	}
	_, err = fmt.Fprintf(out, "%s, attempts: %d\n", answer.GetStatus(), s.calls.Load())
	return err
}

// dial connects to the server that connect reaches, with calls that are retried.
func dial(connect func(context.Context, string) (net.Conn, error)) (*grpc.ClientConn, error) {
	// One policy per dependency, made at start-up.
	catalog, err := otelretry.New("catalog",
		otelretry.WithMaxAttempts(4),
		otelretry.WithDeadline(5*time.Second))
	if err != nil {
		return nil, err
	}
	// UNAVAILABLE leaves open whether the server acted, so it is retried only
	// for methods that may be repeated.
	retries, err := otelretrygrpc.New(catalog,
		otelretrygrpc.WithIdempotentMethods(healthpb.Health_Check_FullMethodName))
	if err != nil {
		return nil, err
	}
	return grpc.NewClient("passthrough:///catalog",
		grpc.WithContextDialer(connect),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableRetry(), // one layer of retries, not two
		grpc.WithChainUnaryInterceptor(retries.Unary()),
		grpc.WithChainStreamInterceptor(retries.Stream()))
}

// server answers calls of Check with a code for as many as failures says, and
// then that it serves.
type server struct {
	healthpb.UnimplementedHealthServer
	failures int64
	code     codes.Code
	calls    atomic.Int64
}

func (s *server) Check(context.Context, *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	if n := s.calls.Add(1); n <= s.failures {
		return nil, status.Errorf(s.code, "failure %d of %d", n, s.failures)
	}
	return &healthpb.HealthCheckResponse{Status: healthpb.HealthCheckResponse_SERVING}, nil
}
