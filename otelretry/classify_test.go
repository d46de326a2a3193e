package otelretry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/retrykit/retrykit/otelretry"
)

type sqlError string

func (e sqlError) Error() string    { return "sql" }
func (e sqlError) SQLState() string { return string(e) }

func TestClassify(t *testing.T) {
	const permanent, transient, ambiguous, unknown = otelretry.ClassPermanent, otelretry.ClassTransient, otelretry.ClassAmbiguous, otelretry.ClassUnknown
	op := func(step string, err error) error {
		return &net.OpError{Op: step, Net: "tcp", Err: os.NewSyscallError(step, err)}
	}
	for _, test := range []struct {
		name string
		err  error
		want otelretry.Class
	}{
		{"nil", nil, unknown},
		{"one's own", errors.New("validation"), unknown},
		{"connection refused", op("dial", syscall.ECONNREFUSED), transient},
		{"connection refused by a client", &url.Error{Op: "Post", URL: "http://x", Err: op("dial", syscall.ECONNREFUSED)}, transient},
		{"connect timeout", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, transient},
		{"dial canceled", &net.OpError{Op: "dial", Err: context.Canceled}, unknown},
		{"dns", &net.DNSError{Err: "no such host", Name: "x"}, transient},
		{"reset", syscall.ECONNRESET, transient},
		{"reset while writing", op("write", syscall.ECONNRESET), transient},
		{"reset while reading the response", op("read", syscall.ECONNRESET), ambiguous},
		{"broken pipe", op("write", syscall.EPIPE), ambiguous},
		{"read timeout", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, ambiguous},
		{"server closed", &url.Error{Op: "Post", URL: "http://x", Err: io.EOF}, ambiguous},
		{"unexpected EOF", fmt.Errorf("body: %w", io.ErrUnexpectedEOF), ambiguous},
		{"end of a stream", io.EOF, unknown},
		{"timeout of an inner context", context.DeadlineExceeded, ambiguous},
		{"canceled", context.Canceled, unknown},
		{"408", statusError(408), ambiguous}, {"429", statusError(429), transient}, {"500", statusError(500), permanent},
		{"501", statusError(501), permanent}, {"502", statusError(502), ambiguous}, {"503", statusError(503), ambiguous},
		{"504", statusError(504), ambiguous}, {"400", statusError(400), permanent}, {"401", statusError(401), permanent},
		{"404", statusError(404), permanent}, {"409", statusError(409), permanent}, {"422", statusError(422), permanent},
		{"200", statusError(200), unknown},
		{"serialization failure", sqlError("40001"), transient}, {"deadlock", sqlError("40P01"), transient},
		{"unique violation", sqlError("23505"), permanent}, {"no state", sqlError(""), unknown},
		{"gRPC unavailable", status.Error(codes.Unavailable, ""), transient},
		{"gRPC unavailable, wrapped", fmt.Errorf("rpc: %w", status.Error(codes.Unavailable, "")), transient},
		{"gRPC deadline", status.Error(codes.DeadlineExceeded, ""), ambiguous},
		{"gRPC exhausted", status.Error(codes.ResourceExhausted, ""), permanent},
		{"gRPC aborted", status.Error(codes.Aborted, ""), permanent},
		{"gRPC canceled", status.Error(codes.Canceled, ""), unknown},
		{"gRPC invalid", status.Error(codes.InvalidArgument, ""), permanent},
		{"joined", errors.Join(errors.New("x"), statusError(503)), ambiguous},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, otelretry.Classify(test.err)) })
	}
}

// retried reports how many attempts a failure gets when it is the only one.
func attemptsAfter(t *testing.T, err error, options ...otelretry.Option) int {
	t.Helper()
	policy, _, _ := recorded(t, options...)
	calls := 0
	_ = policy.Operation("o").Run(t.Context(), func(context.Context) error {
		if calls++; calls == 1 {
			return err
		}
		return nil
	})
	return calls
}

func TestMarks(t *testing.T) {
	plain := errors.New("x")
	assert.Equal(t, 1, attemptsAfter(t, plain))
	assert.Equal(t, 2, attemptsAfter(t, otelretry.Retryable(plain)))
	assert.Equal(t, 2, attemptsAfter(t, fmt.Errorf("wrapped: %w", otelretry.Retryable(plain))), "survives wrapping")
	assert.Equal(t, 2, attemptsAfter(t, errors.Join(plain, otelretry.Retryable(plain))), "survives joining")
	assert.Equal(t, 1, attemptsAfter(t, otelretry.Permanent(statusError(429))))
	assert.Equal(t, 1, attemptsAfter(t, &url.Error{Op: "Get", Err: otelretry.Permanent(syscall.ECONNREFUSED)}), "a mark comes before the list")
	assert.Equal(t, 1, attemptsAfter(t, otelretry.Permanent(otelretry.Retryable(plain))), "the outermost wins")
	assert.Equal(t, 2, attemptsAfter(t, otelretry.Retryable(otelretry.Permanent(plain))), "the outermost wins")
	assert.Equal(t, 2, attemptsAfter(t, otelretry.RetryAfter(time.Second, statusError(500))))
	require.NoError(t, otelretry.Permanent(nil))
	require.NoError(t, otelretry.Retryable(nil))
	require.NoError(t, otelretry.RetryAfter(1, nil))
	require.ErrorIs(t, otelretry.Permanent(plain), plain)
	assert.EqualError(t, otelretry.Permanent(plain), "x")
}

func TestClassifiersOfOnesOwn(t *testing.T) {
	mine := errors.New("mine")
	knows := func(err error) otelretry.Class {
		if errors.Is(err, mine) {
			return otelretry.ClassTransient
		}
		return otelretry.ClassUnknown
	}
	assert.Equal(t, 2, attemptsAfter(t, mine, otelretry.WithClassifiers(knows)))
	assert.Equal(t, 1, attemptsAfter(t, statusError(429), otelretry.WithClassifiers(knows)), "replaces the default")
	assert.Equal(t, 2, attemptsAfter(t, statusError(429), otelretry.WithClassifiers(knows, otelretry.Classify)), "adds to it")
	assert.Equal(t, 1, attemptsAfter(t, otelretry.Permanent(mine), otelretry.WithClassifiers(knows)))
}

func TestErrorTypes(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{statusError(404), "404"}, {sqlError("23505"), "23505"}, {status.Error(codes.NotFound, ""), "NOT_FOUND"},
		{fmt.Errorf("dial: %w", syscall.ECONNREFUSED), "connection_refused"}, {&net.DNSError{}, "dns"},
		{context.Canceled, "canceled"}, {os.ErrDeadlineExceeded, "timeout"}, {io.ErrUnexpectedEOF, "unexpected_eof"},
		{fmt.Errorf("id 4711: %w", errors.New("x")), "*errors.errorString"}, {otelretry.Permanent(&os.PathError{Err: syscall.ENOENT}), "syscall.Errno"},
	} {
		policy, recorder, _ := recorded(t, otelretry.WithMaxAttempts(1))
		require.Error(t, policy.Operation("o").Run(t.Context(), script(test.err)))
		assert.Equal(t, test.want, recorder.Requests()[0].Attempts[0].ErrorType())
	}
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(1994, time.November, 6, 8, 49, 30, 0, time.UTC)
	for _, test := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"7", 7 * time.Second, true}, {" 0 ", 0, true}, {"86400", 24 * time.Hour, true},
		{"99999999999999999999999999", 1<<63 - 1, true},
		{"Sun, 06 Nov 1994 08:49:37 GMT", 7 * time.Second, true},
		{"Sunday, 06-Nov-94 08:49:37 GMT", 7 * time.Second, true},
		{"Sun Nov  6 08:49:37 1994", 7 * time.Second, true},
		{"Sun, 06 Nov 1993 08:49:37 GMT", 0, true},
		{"", 0, false}, {"-1", 0, false}, {"1.5", 0, false}, {"soon", 0, false}, {"7s", 0, false}, {"+7", 0, false},
	} {
		got, ok := otelretry.ParseRetryAfter(test.value, now)
		assert.Equal(t, test.ok, ok, test.value)
		assert.Equal(t, test.want, got, test.value)
	}
}

func FuzzParseRetryAfter(f *testing.F) {
	for _, seed := range []string{"7", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "-1", "9223372036854775808", ""} {
		f.Add(seed)
	}
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, value string) {
		wait, ok := otelretry.ParseRetryAfter(value, now)
		if wait < 0 || !ok && wait != 0 {
			t.Fatalf("%q gave %s, %v", value, wait, ok)
		}
	})
}
