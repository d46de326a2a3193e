package otelretrygrpc

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/retrykit/retrykit/otelretry"
)

// Stream gives the interceptor for streams; see the package's documentation
// for what of them is retried.
func (i *Interceptor) Stream() grpc.StreamClientInterceptor {
	return func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
		s := &stream{
			interceptor: i, caller: ctx, op: i.operation(method),
			stepsAside: func() bool { return i.stepsAside(ctx, cc, method) },
			open: func(ctx context.Context) (grpc.ClientStream, error) {
				return open(ctx, desc, cc, method, options...)
			},
		}
		if !desc.ClientStreams {
			return s, nil // opened when the caller waits for the answer
		}
		if err := s.start(func(grpc.ClientStream) error { return nil }); err != nil {
			return nil, err
		}
		return s, nil
	}
}

// stream is a stream of answers that is opened again until the first one has
// come. Its methods may be called as those of any grpc.ClientStream.
type stream struct {
	interceptor *Interceptor
	caller      context.Context
	op          *otelretry.Operation
	stepsAside  func() bool
	open        func(context.Context) (grpc.ClientStream, error)

	mu      sync.Mutex
	request any // the one message of the client, nil when it has not come yet
	sent    bool
	current grpc.ClientStream
	end     func() // ends the context of current
	failure error
}

// start opens the stream, again where the policy allows it, and leaves it open
// once first has succeeded on it.
func (s *stream) start(first func(grpc.ClientStream) error) error {
	s.failure = withStatus(s.op.Run(s.caller, func(attempt context.Context) error {
		ctx, end := s.lifetime(attempt)
		current, err := s.open(s.interceptor.withMetadata(ctx))
		if err == nil && s.sent {
			err = send(current, s.request)
		}
		if err == nil {
			err = first(current)
		}
		ended := err != nil && !errors.Is(err, io.EOF)
		if ended || !end.keep() {
			var trailer metadata.MD
			if current != nil {
				trailer = current.Trailer()
			}
			end.now()
			return s.verdict(attempt, err, trailer)
		}
		s.current, s.end = current, end.now
		return nil
	}))
	return s.failure
}

// verdict is the error of an attempt.
func (s *stream) verdict(attempt context.Context, err error, trailer metadata.MD) error {
	if s.caller.Err() == nil && attempt.Err() != nil {
		// gRPC saw its context end; why it did is what the policy wants to know.
		err = status.Error(codes.DeadlineExceeded, "no answer within the attempt's time limit")
	}
	if err != nil && s.stepsAside() {
		return otelretry.Permanent(err)
	}
	return judged(err, trailer)
}

// send makes the one request of a stream of answers.
func send(current grpc.ClientStream, request any) error {
	if err := current.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
		return err // io.EOF: the status comes from RecvMsg
	}
	return current.CloseSend()
}

// lifetime is the end of a stream's context: with the attempt until the first
// answer, with the caller's context after it.
type lifetime struct {
	now  func()
	keep func() bool // lets the stream outlive the attempt; false when it is over already
}

func (s *stream) lifetime(attempt context.Context) (context.Context, lifetime) {
	ctx := context.WithoutCancel(attempt) // its values, not its end
	var cancel context.CancelFunc
	if deadline, ok := s.caller.Deadline(); ok {
		ctx, cancel = context.WithDeadline(ctx, deadline)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	keep := context.AfterFunc(attempt, cancel)
	forget := context.AfterFunc(s.caller, cancel)
	return ctx, lifetime{now: func() { forget(); cancel() }, keep: keep}
}

// commit makes sure that the stream is open and something of its answer came.
func (s *stream) commit(first func(grpc.ClientStream) error) (grpc.ClientStream, error) {
	if s.current == nil && s.failure == nil {
		return s.current, s.start(first)
	}
	return s.current, s.failure
}

// Header waits for the header of the answer; once it has come the stream is not
// opened again.
func (s *stream) Header() (metadata.MD, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var header metadata.MD
	_, err := s.commit(func(current grpc.ClientStream) (err error) {
		header, err = current.Header()
		return err
	})
	if err != nil || header != nil {
		return header, err
	}
	return s.current.Header()
}

// RecvMsg waits for the next message of the answer.
func (s *stream) RecvMsg(m any) error {
	s.mu.Lock()
	current, failure := s.current, s.failure
	if current == nil && failure == nil {
		defer s.mu.Unlock()
		var got error
		err := s.start(func(current grpc.ClientStream) error {
			got = current.RecvMsg(m)
			return got
		})
		if err != nil {
			return err
		}
		if got != nil { // io.EOF: an answer without messages
			s.end()
		}
		return got
	}
	s.mu.Unlock() // RecvMsg and SendMsg run side by side
	if failure != nil {
		return failure
	}
	err := current.RecvMsg(m)
	if err != nil {
		s.end()
	}
	return err
}

// SendMsg sends a message, or keeps the one request of a stream of answers for
// when the answer is waited for.
func (s *stream) SendMsg(m any) error {
	s.mu.Lock()
	if s.current != nil {
		current := s.current
		s.mu.Unlock()
		return current.SendMsg(m)
	}
	defer s.mu.Unlock()
	if s.failure != nil {
		return io.EOF // as gRPC does: the status comes from RecvMsg
	}
	if s.sent {
		return status.Error(codes.Internal, "otelretrygrpc: SendMsg called twice on a call with one request")
	}
	s.request, s.sent = m, true
	return nil
}

// CloseSend says that no message follows.
func (s *stream) CloseSend() error {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current == nil {
		return nil // send closes it
	}
	return current.CloseSend()
}

// Trailer gives the trailer of the last attempt, after RecvMsg has returned an
// error.
func (s *stream) Trailer() metadata.MD {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.Trailer()
}

// Context gives the context of the stream: that of the caller until the stream
// is open.
func (s *stream) Context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return s.caller
	}
	return s.current.Context()
}
