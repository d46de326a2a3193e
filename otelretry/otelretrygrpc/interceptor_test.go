package otelretrygrpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.uber.org/goleak"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretrygrpc"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

const (
	unary     = "/grpc.testing.TestService/UnaryCall"
	streaming = "/grpc.testing.TestService/StreamingOutputCall"
)

// server answers its calls by a script, the last entry for ever.
type server struct {
	testgrpc.UnimplementedTestServiceServer
	script   []answer
	mu       sync.Mutex
	requests []metadata.MD
}

// answer is what a call gets: messages, then an error, with a trailer.
type answer struct {
	messages int
	err      error
	trailer  metadata.MD
	hang     bool
}

func (s *server) next(ctx context.Context) answer {
	md, _ := metadata.FromIncomingContext(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.script[min(len(s.requests), len(s.script)-1)]
	s.requests = append(s.requests, md)
	return a
}

func (s *server) seen() []metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *server) UnaryCall(ctx context.Context, in *testgrpc.SimpleRequest) (*testgrpc.SimpleResponse, error) {
	a := s.next(ctx)
	_ = grpc.SetTrailer(ctx, a.trailer)
	if a.hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &testgrpc.SimpleResponse{Payload: in.GetPayload()}, a.err
}

func (s *server) StreamingOutputCall(in *testgrpc.StreamingOutputCallRequest, out grpc.ServerStreamingServer[testgrpc.StreamingOutputCallResponse]) error {
	a := s.next(out.Context())
	out.SetTrailer(a.trailer)
	for range a.messages {
		if err := out.Send(&testgrpc.StreamingOutputCallResponse{Payload: in.GetPayload()}); err != nil {
			return err
		}
	}
	if a.hang {
		<-out.Context().Done()
		return out.Context().Err()
	}
	return a.err
}

func (s *server) FullDuplexCall(both grpc.BidiStreamingServer[testgrpc.StreamingOutputCallRequest, testgrpc.StreamingOutputCallResponse]) error {
	s.next(both.Context())
	for {
		in, err := both.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := both.Send(&testgrpc.StreamingOutputCallResponse{Payload: in.GetPayload()}); err != nil {
			return err
		}
	}
}

type fixture struct {
	server   *server
	clock    *otelretrytest.Clock
	recorder *otelretrytest.Recorder
	client   testgrpc.TestServiceClient
}

type setup struct {
	policy  []otelretry.Option
	options []otelretrygrpc.Option
	dial    []grpc.DialOption
	real    bool // the system's clock
}

func start(t *testing.T, script []answer, with setup) *fixture {
	t.Helper()
	f := &fixture{server: &server{script: script}, clock: otelretrytest.NewClock(1), recorder: otelretrytest.NewRecorder(t)}
	listener := bufconn.Listen(1 << 16)
	srv := grpc.NewServer()
	testgrpc.RegisterTestServiceServer(srv, f.server)
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(listener) }()
	t.Cleanup(func() { srv.Stop(); <-served })

	options := append(f.recorder.Options(), otelretry.WithBackoff(otelretry.Constant(time.Millisecond)))
	if !with.real {
		options = append(options, otelretry.WithClock(f.clock), otelretry.WithBackoff(otelretry.Constant(time.Second)),
			otelretry.WithoutDeadline()) // gRPC would compare the fake deadline with the real time
	}
	policy, err := otelretry.New("test", append(options, with.policy...)...)
	require.NoError(t, err)
	retries, err := otelretrygrpc.New(policy, with.options...)
	require.NoError(t, err)
	conn, err := grpc.NewClient("passthrough:///test", append([]grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithChainUnaryInterceptor(retries.Unary()),
		grpc.WithChainStreamInterceptor(retries.Stream()),
	}, with.dial...)...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	f.client = testgrpc.NewTestServiceClient(conn)
	return f
}

func fail(code codes.Code) answer { return answer{err: status.Error(code, "scripted")} }

func pushback(code codes.Code, value string) answer {
	return answer{err: status.Error(code, "scripted"), trailer: metadata.Pairs("grpc-retry-pushback-ms", value)}
}

func retryInfo(code codes.Code, wait time.Duration) answer {
	s, err := status.New(code, "scripted").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(wait)})
	if err != nil {
		panic(err)
	}
	return answer{err: s.Err()}
}

// cases say how many attempts a script gets, for unary calls and streams alike.
var cases = []struct {
	name     string
	script   []answer
	options  []otelretrygrpc.Option
	want     codes.Code
	reason   error
	attempts int
	waits    []time.Duration // at least
}{
	{name: "unavailable, then fine", script: []answer{fail(codes.Unavailable), fail(codes.Unavailable), {messages: 1}}, attempts: 3, waits: []time.Duration{time.Second, time.Second}},
	{name: "always unavailable", script: []answer{fail(codes.Unavailable)}, want: codes.Unavailable, reason: otelretry.ErrExhausted, attempts: 4, waits: []time.Duration{time.Second, time.Second, time.Second}},
	{name: "invalid argument", script: []answer{fail(codes.InvalidArgument)}, want: codes.InvalidArgument, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "aborted is the transaction's to retry", script: []answer{fail(codes.Aborted)}, want: codes.Aborted, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "resource exhausted without a hint", script: []answer{fail(codes.ResourceExhausted)}, want: codes.ResourceExhausted, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "resource exhausted with a hint", script: []answer{retryInfo(codes.ResourceExhausted, 5*time.Second), {messages: 1}}, attempts: 2, waits: []time.Duration{5 * time.Second}},
	{name: "pushback", script: []answer{pushback(codes.Unavailable, "2500"), {messages: 1}}, attempts: 2, waits: []time.Duration{2500 * time.Millisecond}},
	{name: "pushback below the backoff", script: []answer{pushback(codes.Unavailable, "0"), {messages: 1}}, attempts: 2, waits: []time.Duration{time.Second}},
	{name: "pushback that forbids", script: []answer{pushback(codes.Unavailable, "-1")}, want: codes.Unavailable, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "pushback that isn't a number", script: []answer{pushback(codes.Unavailable, "soon")}, want: codes.Unavailable, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "pushback that isn't an int32", script: []answer{pushback(codes.Unavailable, "99999999999")}, want: codes.Unavailable, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "pushback of an hour", script: []answer{pushback(codes.Unavailable, "3600000")}, want: codes.Unavailable, reason: otelretry.ErrPushback, attempts: 1},
	{name: "pushback doesn't make an argument valid", script: []answer{pushback(codes.InvalidArgument, "1")}, want: codes.InvalidArgument, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "deadline exceeded at the server", script: []answer{fail(codes.DeadlineExceeded)}, want: codes.DeadlineExceeded, reason: otelretry.ErrNotRetryable, attempts: 1},
	{name: "the same for an idempotent method", script: []answer{fail(codes.DeadlineExceeded), {messages: 1}}, options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotentMethods(unary, streaming)}, attempts: 2, waits: []time.Duration{time.Second}},
	{name: "the same for an idempotent service", script: []answer{fail(codes.DeadlineExceeded), {messages: 1}}, options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotentMethods("/grpc.testing.TestService/")}, attempts: 2, waits: []time.Duration{time.Second}},
	{name: "the same with a key", script: []answer{fail(codes.DeadlineExceeded), {messages: 1}}, options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotencyKeys("")}, attempts: 2, waits: []time.Duration{time.Second}},
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, testgrpc.TestServiceClient) error{
		"unary": func(ctx context.Context, c testgrpc.TestServiceClient) error {
			_, err := c.UnaryCall(ctx, &testgrpc.SimpleRequest{})
			return err
		},
		"stream": func(ctx context.Context, c testgrpc.TestServiceClient) error {
			s, err := c.StreamingOutputCall(ctx, &testgrpc.StreamingOutputCallRequest{})
			if err != nil {
				return err
			}
			for {
				if _, err := s.Recv(); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		},
	}
	for kind, call := range calls {
		for _, tt := range cases {
			t.Run(kind+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				f := start(t, tt.script, setup{options: tt.options})
				err := call(t.Context(), f.client)
				assert.Equal(t, tt.want, status.Code(err), "%v", err)
				if tt.reason != nil {
					require.ErrorIs(t, err, tt.reason)
				}
				assert.Len(t, f.server.seen(), tt.attempts)
				waits := f.clock.Waits()
				require.Len(t, waits, len(tt.waits))
				for i, wait := range tt.waits {
					assert.GreaterOrEqual(t, waits[i], wait)
					assert.Less(t, waits[i], wait*2)
				}
				f.recorder.AssertConsistent()
			})
		}
	}
}

func TestAttemptsSayWhichTheyAre(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{fail(codes.Unavailable), fail(codes.Unavailable), {}}, setup{options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotencyKeys("")}})
	_, err := f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{})
	require.NoError(t, err)
	seen := f.server.seen()
	require.Len(t, seen, 3)
	keys := map[string]bool{}
	for i, md := range seen {
		keys[md.Get(otelretrygrpc.DefaultKeyMetadata)[0]] = true
		if i == 0 {
			assert.Empty(t, md.Get("grpc-previous-rpc-attempts"))
		} else {
			assert.Equal(t, []string{string(rune('0' + i))}, md.Get("grpc-previous-rpc-attempts"))
		}
	}
	assert.Len(t, keys, 1, "one key for all attempts")
}

func TestCallersKeyIsKept(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{{}}, setup{options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotencyKeys("order")}})
	_, err := f.client.UnaryCall(metadata.AppendToOutgoingContext(t.Context(), "order", "mine"), &testgrpc.SimpleRequest{})
	require.NoError(t, err)
	assert.Equal(t, []string{"mine"}, f.server.seen()[0].Get("order"))
}

func TestStreamEndsRetryingAtTheFirstMessage(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{fail(codes.Unavailable), {messages: 2, err: status.Error(codes.Unavailable, "late")}, {messages: 5}}, setup{})
	s, err := f.client.StreamingOutputCall(t.Context(), &testgrpc.StreamingOutputCallRequest{Payload: &testgrpc.Payload{Body: []byte("x")}})
	require.NoError(t, err)
	for range 2 {
		m, err := s.Recv()
		require.NoError(t, err)
		assert.Equal(t, "x", string(m.GetPayload().GetBody()), "the request is sent again")
	}
	_, err = s.Recv()
	assert.Equal(t, codes.Unavailable, status.Code(err))
	assert.Len(t, f.server.seen(), 2)
	f.recorder.AssertOutcomes("grpc.testing.TestService/StreamingOutputCall", map[otelretry.Outcome]int{otelretry.RetriedSuccess: 1})
}

func TestStreamsHeaderCommitsToo(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{{messages: 1}}, setup{})
	s, err := f.client.StreamingOutputCall(t.Context(), &testgrpc.StreamingOutputCallRequest{})
	require.NoError(t, err)
	_, err = s.Header()
	require.NoError(t, err)
	_, err = s.Recv()
	require.NoError(t, err)
	_, err = s.Recv()
	require.ErrorIs(t, err, io.EOF)
	_, err = s.Recv()
	require.Error(t, err, "a stream that ended stays ended")
}

func TestAttemptTimeoutEndsTheWaitForTheFirstMessageOnly(t *testing.T) {
	t.Parallel()
	policy := []otelretry.Option{otelretry.WithAttemptTimeout(50 * time.Millisecond)}
	options := []otelretrygrpc.Option{otelretrygrpc.WithIdempotentMethods(streaming, unary)}
	f := start(t, []answer{{hang: true}, {messages: 1, hang: true}}, setup{policy: policy, options: options, real: true})
	ctx, cancel := context.WithCancel(t.Context())
	s, err := f.client.StreamingOutputCall(ctx, &testgrpc.StreamingOutputCallRequest{})
	require.NoError(t, err)
	_, err = s.Recv()
	require.NoError(t, err, "the second attempt answers")
	assert.Len(t, f.server.seen(), 2)
	ended := make(chan error, 1)
	go func() {
		_, err := s.Recv()
		ended <- err
	}()
	select {
	case err := <-ended:
		require.Fail(t, "the stream outlives the attempt's time limit", "%v", err)
	case <-time.After(150 * time.Millisecond):
	}
	cancel()
	assert.Equal(t, codes.Canceled, status.Code(<-ended))

	f = start(t, []answer{{hang: true}, {}}, setup{policy: policy, options: options, real: true})
	_, err = f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{})
	require.NoError(t, err)
	assert.Len(t, f.server.seen(), 2)
}

func TestBidirectionalStreamsWork(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{{}}, setup{})
	s, err := f.client.FullDuplexCall(t.Context())
	require.NoError(t, err)
	for _, word := range []string{"a", "b", "c"} {
		require.NoError(t, s.Send(&testgrpc.StreamingOutputCallRequest{Payload: &testgrpc.Payload{Body: []byte(word)}}))
		m, err := s.Recv()
		require.NoError(t, err)
		assert.Equal(t, word, string(m.GetPayload().GetBody()))
	}
	require.NoError(t, s.CloseSend())
	_, err = s.Recv()
	require.ErrorIs(t, err, io.EOF)
}

func TestCallersContext(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{fail(codes.Unavailable)}, setup{})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.client.UnaryCall(done, &testgrpc.SimpleRequest{})
	assert.Equal(t, codes.Canceled, status.Code(err), "%v", err)
	require.ErrorIs(t, err, context.Canceled)
	s, err := f.client.StreamingOutputCall(done, &testgrpc.StreamingOutputCallRequest{})
	if err == nil {
		_, err = s.Recv()
	}
	assert.Equal(t, codes.Canceled, status.Code(err), "%v", err)
	assert.Empty(t, f.server.seen())
}

// A caller that gives up is no failure of the dependency, however gRPC puts it.
func TestACallersCancellationDuringTheCallIsTold(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, testgrpc.TestServiceClient) error{
		"UnaryCall": func(ctx context.Context, c testgrpc.TestServiceClient) error {
			_, err := c.UnaryCall(ctx, &testgrpc.SimpleRequest{})
			return err
		},
		"StreamingOutputCall": func(ctx context.Context, c testgrpc.TestServiceClient) error {
			s, err := c.StreamingOutputCall(ctx, &testgrpc.StreamingOutputCallRequest{})
			if err != nil {
				return err
			}
			_, err = s.Recv()
			return err
		},
	}
	for method, call := range calls {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := start(t, []answer{{hang: true}}, setup{real: true})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			err := call(ctx, f.client)
			assert.Equal(t, codes.Canceled, status.Code(err), "%v", err)
			require.ErrorIs(t, err, otelretry.ErrCanceled)
			f.recorder.AssertOutcomes("grpc.testing.TestService/"+method, map[otelretry.Outcome]int{otelretry.Canceled: 1})
		})
	}
}

func TestHeaderAndTrailerOptionsHoldThoseOfTheLastAttempt(t *testing.T) {
	t.Parallel()
	f := start(t, []answer{pushback(codes.Unavailable, "1"), {trailer: metadata.Pairs("attempt", "second")}}, setup{})
	var header, trailer metadata.MD
	_, err := f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{}, grpc.Header(&header), grpc.Trailer(&trailer))
	require.NoError(t, err)
	assert.Equal(t, []string{"application/grpc"}, header.Get("content-type"))
	assert.Equal(t, metadata.Pairs("attempt", "second"), trailer)
}

// With WaitForReady, gRPC waits for a connection by itself: an attempt's time
// limit bounds that wait, and what ends it has been sent to nobody.
func TestWaitForReadyIsBoundedByTheAttemptsTimeLimit(t *testing.T) {
	t.Parallel()
	nobody := grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) { return nil, errors.New("nobody listens") })
	f := start(t, nil, setup{real: true, dial: []grpc.DialOption{nobody}, policy: []otelretry.Option{otelretry.WithAttemptTimeout(20 * time.Millisecond)},
		options: []otelretrygrpc.Option{otelretrygrpc.WithIdempotentMethods(unary)}})
	_, err := f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{}, grpc.WaitForReady(true))
	require.ErrorIs(t, err, otelretry.ErrExhausted)
	assert.Equal(t, codes.DeadlineExceeded, status.Code(err))
	assert.EqualValues(t, 4, f.recorder.Count("otelretry.attempts", attribute.String("error.type", "attempt_timeout")))
}

const retryingConfig = `{"methodConfig": [{"name": [{"service": "grpc.testing.TestService"}], "retryPolicy": {
	"maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.001s", "backoffMultiplier": 1, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

func TestServiceConfigThatRetries(t *testing.T) {
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	defer slog.SetDefault(before)

	f := start(t, []answer{fail(codes.Unavailable)}, setup{dial: []grpc.DialOption{grpc.WithDefaultServiceConfig(retryingConfig)}})
	for range 2 {
		_, err := f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{})
		require.ErrorIs(t, err, otelretry.ErrNotRetryable)
	}
	assert.Len(t, f.server.seen(), 6, "gRPC's three attempts for each call, and not 12")
	assert.Equal(t, 1, bytes.Count(logged.Bytes(), []byte("the service config retries this method")))

	f = start(t, []answer{fail(codes.Unavailable)}, setup{
		dial:    []grpc.DialOption{grpc.WithDefaultServiceConfig(retryingConfig), grpc.WithDisableRetry()},
		options: []otelretrygrpc.Option{otelretrygrpc.WithServiceConfigRetriesOff()},
	})
	_, err := f.client.UnaryCall(t.Context(), &testgrpc.SimpleRequest{})
	require.ErrorIs(t, err, otelretry.ErrExhausted)
	assert.Len(t, f.server.seen(), 4)
}

func TestNewRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	policy, err := otelretry.New("test", otelretry.WithoutTelemetry())
	require.NoError(t, err)
	tests := map[string]struct {
		policy *otelretry.Policy
		option otelretrygrpc.Option
	}{
		"the policy is nil":     {},
		"an option is nil":      {policy, nil},
		"WithIdempotentMethods": {policy, otelretrygrpc.WithIdempotentMethods("Get")},
		"WithIdempotencyKeys":   {policy, otelretrygrpc.WithIdempotencyKeys("Key-bin")},
	}
	for mention, tt := range tests {
		_, err := otelretrygrpc.New(tt.policy, tt.option)
		require.ErrorContains(t, err, mention)
	}
}
