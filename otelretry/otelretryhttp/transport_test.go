package otelretryhttp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	goleak.VerifyTestMain(m)
}

// answers is a server that gives these answers in turn, the last for ever, and
// keeps what it was sent.
type answers struct {
	mu      sync.Mutex
	script  []http.HandlerFunc
	bodies  []string
	headers []http.Header
}

func (a *answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	n := min(len(a.bodies), len(a.script)-1)
	a.bodies = append(a.bodies, string(body))
	a.headers = append(a.headers, r.Header.Clone())
	a.mu.Unlock()
	a.script[n](w, r)
}

func (a *answers) calls() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.bodies)
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, http.StatusText(code))
	}
}

// hangUp closes the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

type fixture struct {
	server *httptest.Server
	clock  *otelretrytest.Clock
	client *http.Client
}

func start(t *testing.T, handler http.Handler, policyOptions []otelretry.Option, options ...otelretryhttp.Option) *fixture {
	t.Helper()
	f := &fixture{server: httptest.NewServer(handler), clock: otelretrytest.NewClock(1)}
	t.Cleanup(f.server.Close)
	policy, err := otelretry.New("server", append([]otelretry.Option{
		otelretry.WithClock(f.clock), otelretry.WithoutTelemetry(),
		otelretry.WithBackoff(otelretry.Exponential(time.Second, time.Minute)), otelretry.WithDeadline(time.Hour),
	}, policyOptions...)...)
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(f.server.Client().Transport, policy, options...)
	require.NoError(t, err)
	f.client = &http.Client{Transport: transport}
	return f
}

// onlyReader hides every method but Read, so that net/http makes no GetBody.
type onlyReader struct{ io.Reader }

func TestRoundTripRetriesWhatDoesNoHarm(t *testing.T) {
	t.Parallel()
	busy, ok := status(503), status(200)
	tests := []struct {
		name       string
		method     string
		script     []http.HandlerFunc
		body       io.Reader
		length     int64 // when the body is an onlyReader
		header     http.Header
		options    []otelretryhttp.Option
		wantStatus int
		wantErr    error
		wantCalls  int
		wantBody   string
	}{
		{name: "get after 503", method: "GET", script: []http.HandlerFunc{busy, busy, ok}, wantStatus: 200, wantCalls: 3},
		{name: "head", method: "HEAD", script: []http.HandlerFunc{busy, ok}, wantStatus: 200, wantCalls: 2},
		{name: "delete", method: "DELETE", script: []http.HandlerFunc{status(502), ok}, wantStatus: 200, wantCalls: 2},
		{name: "options", method: "OPTIONS", script: []http.HandlerFunc{status(504), ok}, wantStatus: 200, wantCalls: 2},
		{name: "404 comes back at once", method: "GET", script: []http.HandlerFunc{status(404)}, wantStatus: 404, wantCalls: 1},
		{name: "500 comes back at once", method: "GET", script: []http.HandlerFunc{status(500)}, wantStatus: 500, wantCalls: 1},
		{name: "always down gives the last response", method: "GET", script: []http.HandlerFunc{busy}, wantStatus: 503, wantCalls: 4},
		{name: "put sends the body again", method: "PUT", body: strings.NewReader("abc"), script: []http.HandlerFunc{busy, ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "a short body without GetBody is kept", method: "PUT", body: onlyReader{strings.NewReader("abc")}, length: 3, script: []http.HandlerFunc{busy, ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "a body past the limit is sent once", method: "PUT", body: onlyReader{strings.NewReader("abc")}, length: 3, options: []otelretryhttp.Option{otelretryhttp.WithBodyBuffer(2)}, script: []http.HandlerFunc{busy, ok}, wantStatus: 503, wantCalls: 1, wantBody: "abc"},
		{name: "a body of unknown length is sent once", method: "PUT", body: onlyReader{strings.NewReader("abc")}, length: -1, script: []http.HandlerFunc{busy, ok}, wantStatus: 503, wantCalls: 1, wantBody: "abc"},
		{name: "post after 503", method: "POST", body: strings.NewReader("abc"), script: []http.HandlerFunc{busy, ok}, wantStatus: 503, wantCalls: 1, wantBody: "abc"},
		{name: "post after 429", method: "POST", body: strings.NewReader("abc"), script: []http.HandlerFunc{status(429), ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "post with the caller's key", method: "POST", body: strings.NewReader("abc"), header: http.Header{"Idempotency-Key": {"mine"}}, script: []http.HandlerFunc{busy, ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "post with an added key", method: "POST", body: strings.NewReader("abc"), options: []otelretryhttp.Option{otelretryhttp.WithIdempotencyKeys("")}, script: []http.HandlerFunc{busy, ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "patch whose connection is lost", method: "PATCH", body: strings.NewReader("abc"), script: []http.HandlerFunc{hangUp, ok}, wantErr: otelretry.ErrNotRetryable, wantCalls: 1, wantBody: "abc"},
		{name: "put whose connection is lost", method: "PUT", body: strings.NewReader("abc"), script: []http.HandlerFunc{hangUp, ok}, wantStatus: 200, wantCalls: 2, wantBody: "abc"},
		{name: "always hung up on", method: "GET", script: []http.HandlerFunc{hangUp}, wantErr: otelretry.ErrExhausted, wantCalls: 4},
		{name: "an answer after a lost connection is lost again", method: "GET", script: []http.HandlerFunc{busy, hangUp}, wantErr: otelretry.ErrExhausted, wantCalls: 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := &answers{script: tt.script}
			// A connection per request: net/http itself repeats what it sent on a
			// connection that turns out to be dead.
			f := start(t, server, nil, tt.options...)
			f.server.Config.SetKeepAlivesEnabled(false)
			r, err := http.NewRequest(tt.method, f.server.URL, tt.body)
			require.NoError(t, err)
			if tt.length != 0 {
				r.ContentLength = tt.length
			}
			for name, values := range tt.header {
				r.Header[name] = values
			}
			resp, err := f.client.Do(r)
			assert.Equal(t, tt.wantCalls, server.calls())
			for _, body := range server.bodies {
				assert.Equal(t, tt.wantBody, body)
			}
			if tt.wantErr != nil {
				require.ErrorIs(t, err, tt.wantErr)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.wantStatus, resp.StatusCode)
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			if tt.method != "HEAD" {
				assert.Equal(t, http.StatusText(tt.wantStatus), string(body), "the last body stays readable")
			}
		})
	}
}

func TestIdempotencyKeyIsTheSameForEveryAttempt(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "X-Request-Key"} {
		server := &answers{script: []http.HandlerFunc{status(503), status(503), status(201)}}
		f := start(t, server, nil, otelretryhttp.WithIdempotencyKeys(header))
		r, err := http.NewRequest("POST", f.server.URL, strings.NewReader("x"))
		require.NoError(t, err)
		resp, err := f.client.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 3, server.calls())
		name := header
		if name == "" {
			name = otelretryhttp.DefaultKeyHeader
		}
		keys := map[string]bool{}
		for _, h := range server.headers {
			keys[h.Get(name)] = true
		}
		assert.Len(t, keys, 1)
		assert.NotContains(t, keys, "")
		assert.Empty(t, r.Header, "the caller's request is left alone")
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name  string
		first http.HandlerFunc
		want  time.Duration // at least
		calls int
	}{
		{"seconds", status(429, "Retry-After", "7"), 7 * time.Second, 2},
		{"date, by the server's clock", status(503, "Retry-After", date.Add(9*time.Second).Format(http.TimeFormat), "Date", date.Format(http.TimeFormat)), 9 * time.Second, 2},
		{"past date", status(503, "Retry-After", date.Format(http.TimeFormat), "Date", date.Add(time.Hour).Format(http.TimeFormat)), time.Second, 2},
		{"not readable", status(503, "Retry-After", "soon"), time.Second, 2},
		{"a day is too long", status(429, "Retry-After", "86400"), 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := &answers{script: []http.HandlerFunc{tt.first, status(200)}}
			f := start(t, server, nil)
			resp, err := f.client.Get(f.server.URL)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, tt.calls, server.calls())
			if tt.calls == 1 {
				assert.Equal(t, 429, resp.StatusCode)
				assert.Empty(t, f.clock.Waits())
				return
			}
			require.Len(t, f.clock.Waits(), 1)
			assert.GreaterOrEqual(t, f.clock.Waits()[0], tt.want)
			assert.Less(t, f.clock.Waits()[0], tt.want+tt.want/2+2*time.Second)
		})
	}
}

// failingTransport fails as a dialer does, before anything is written.
type failingTransport struct {
	failures int
	err      error
	calls    atomic.Int32
	next     http.RoundTripper
}

func (f *failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if int(f.calls.Add(1)) <= f.failures {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, f.err
	}
	return f.next.RoundTrip(r)
}

func TestPostIsRetriedWhenNothingWasSent(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close()) // nobody listens: connection refused
	clock := otelretrytest.NewClock(1)
	policy, err := otelretry.New("nobody", otelretry.WithClock(clock), otelretry.WithoutTelemetry())
	require.NoError(t, err)
	base := &failingTransport{next: &http.Transport{}}
	transport, err := otelretryhttp.NewTransport(base, policy)
	require.NoError(t, err)
	_, err = (&http.Client{Transport: transport}).Post("http://"+address, "text/plain", strings.NewReader("x"))
	require.ErrorIs(t, err, otelretry.ErrExhausted)
	assert.EqualValues(t, 4, base.calls.Load())
}

func TestResponseBodyOutlivesTheAttempt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	f := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first ")
		w.(http.Flusher).Flush()
		<-release
		_, _ = io.WriteString(w, "second")
	}), []otelretry.Option{otelretry.WithAttemptTimeout(time.Minute)})
	resp, err := f.client.Get(f.server.URL)
	require.NoError(t, err)
	close(release) // the rest is sent only after RoundTrip has returned
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, "first second", string(body))
	require.NoError(t, resp.Body.Close())
}

func TestSwitchedProtocolsStayWritable(t *testing.T) {
	t.Parallel()
	f := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = rw.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		_ = rw.Flush()
		line, _ := rw.ReadString('\n')
		_, _ = rw.WriteString(line)
		_ = rw.Flush()
	}), nil)
	r, err := http.NewRequest("GET", f.server.URL, nil)
	require.NoError(t, err)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "echo")
	resp, err := f.client.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Implements(t, (*io.Writer)(nil), resp.Body)
	_, err = io.WriteString(resp.Body.(io.Writer), "hello\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "hello\n", line)
}

func TestCallersCancellationEndsTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := &answers{script: []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(503)
		cancel()
	}}}
	f := start(t, server, nil)
	r, err := http.NewRequestWithContext(ctx, "GET", f.server.URL, nil)
	require.NoError(t, err)
	_, err = f.client.Do(r)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, server.calls())
}

// closeCounter is a body that counts how often it was closed.
type closeCounter struct {
	io.Reader
	closed atomic.Int32
}

func (c *closeCounter) Close() error { c.closed.Add(1); return nil }

func TestRequestBodyIsClosedWhateverHappens(t *testing.T) {
	t.Parallel()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	tests := map[string]struct {
		ctx    context.Context
		length int64
		err    error
	}{
		"sent once":                     {ctx: t.Context(), length: -1},
		"kept in memory":                {ctx: t.Context(), length: 3},
		"never sent":                    {ctx: done, length: -1, err: context.Canceled},
		"shorter than it says":          {ctx: t.Context(), length: 4, err: errLength},
		"longer than it says":           {ctx: t.Context(), length: 2, err: errLength},
		"kept in memory and never sent": {ctx: done, length: 3, err: context.Canceled},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := start(t, &answers{script: []http.HandlerFunc{status(200)}}, nil)
			body := &closeCounter{Reader: strings.NewReader("abc")}
			r, err := http.NewRequestWithContext(tt.ctx, "PUT", f.server.URL, body)
			require.NoError(t, err)
			r.ContentLength = tt.length
			resp, err := f.client.Transport.RoundTrip(r)
			switch {
			case tt.err == errLength:
				require.ErrorContains(t, err, "ContentLength")
			case tt.err != nil:
				require.ErrorIs(t, err, tt.err)
			default:
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
			}
			assert.Positive(t, body.closed.Load())
		})
	}
}

var errLength = errors.New("the length is wrong")

func TestDiscardedResponsesLeaveTheirConnection(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	long := strings.Repeat("x", 20_000)
	server := httptest.NewUnstartedServer(&answers{script: []http.HandlerFunc{
		status(503),
		func(w http.ResponseWriter, _ *http.Request) { // of unknown length: chunked
			w.WriteHeader(503)
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, long)
		},
		status(200),
	}})
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: transport}).Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, 200, resp.StatusCode)
	assert.EqualValues(t, 1, connections.Load(), "drained and closed, so that one connection serves all attempts")
}

func TestAnErrorPageThatNeverEndsDoesNotHoldUpTheNextAttempt(t *testing.T) {
	t.Parallel()
	for name, length := range map[string]string{"of unknown length": "", "too long to be drained": "1000000"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&answers{script: []http.HandlerFunc{
				func(w http.ResponseWriter, r *http.Request) {
					if length != "" {
						w.Header().Set("Content-Length", length)
					}
					w.WriteHeader(503)
					_, _ = io.WriteString(w, "Sorry")
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				},
				status(200),
			}})
			defer server.Close()
			policy, err := otelretry.New("server", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.Constant(time.Millisecond)))
			require.NoError(t, err)
			transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
			require.NoError(t, err)
			start := time.Now()
			resp, err := (&http.Client{Transport: transport}).Get(server.URL)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, 200, resp.StatusCode)
			assert.Less(t, time.Since(start), 10*time.Second, "the policy's deadline is 30 s")
		})
	}
}

// Layers multiply and are to be avoided, but they must not break anything.
func TestABareFirstAttemptInsideAnotherRequestSendsItsOwnBody(t *testing.T) {
	t.Parallel()
	handler := &answers{script: []http.HandlerFunc{status(200)}}
	server := httptest.NewServer(handler)
	defer server.Close()
	outer, err := otelretry.New("outer", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.NoWait()))
	require.NoError(t, err)
	inner, err := otelretry.New("inner", otelretry.WithoutTelemetry(), otelretry.WithBareFirstAttempt())
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, inner)
	require.NoError(t, err)
	var bodies []*closeCounter
	require.NoError(t, outer.Operation("o").Run(t.Context(), func(ctx context.Context) error {
		body := &closeCounter{Reader: strings.NewReader("abc")}
		bodies = append(bodies, body)
		r, err := http.NewRequestWithContext(ctx, http.MethodPut, server.URL, body)
		if err != nil {
			return err
		}
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("abc")), nil }
		if otelretry.AttemptNumber(ctx) == 1 {
			return otelretry.Retryable(errors.New("not yet"))
		}
		resp, err := transport.RoundTrip(r)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}))
	require.Len(t, bodies, 2)
	assert.EqualValues(t, 1, bodies[1].closed.Load(), "the body of the request was used")
}

func TestRedirectsAreRequestsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, redirect := range []int{http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		hops := &answers{script: []http.HandlerFunc{
			status(503),
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/moved", redirect) },
			status(503),
			status(201),
		}}
		f := start(t, hops, nil)
		r, err := http.NewRequest("PUT", f.server.URL, bytes.NewReader([]byte("abc")))
		require.NoError(t, err)
		resp, err := f.client.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, 201, resp.StatusCode, redirect)
		assert.Equal(t, []string{"abc", "abc", "abc", "abc"}, hops.bodies, redirect)
	}
}

// CONNECT opens a way to anywhere, and is no method that may be repeated. What
// comes through the way is not the transport's to hold back.
func TestConnect(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script []http.HandlerFunc
		want   int
		calls  int
	}{
		"refused": {[]http.HandlerFunc{status(503), status(200)}, 503, 1},
		"busy":    {[]http.HandlerFunc{status(429), echoes}, 200, 2},
		"opened":  {[]http.HandlerFunc{echoes}, 200, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := &answers{script: tt.script}
			f := start(t, handler, nil)
			at, err := url.Parse(f.server.URL)
			require.NoError(t, err)
			at.Opaque = "far.test:443"
			resp, err := f.client.Transport.RoundTrip((&http.Request{Method: "CONNECT", URL: at, Host: at.Opaque, Header: http.Header{}}).WithContext(t.Context()))
			require.NoError(t, err)
			defer resp.Body.Close()
			assert.Equal(t, tt.want, resp.StatusCode)
			assert.Equal(t, tt.calls, handler.calls())
			if tt.want == 200 {
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				assert.Equal(t, "far.test:443", string(body))
			}
		})
	}
}

// echoes takes a connection over and says where it was to lead.
func echoes(w http.ResponseWriter, r *http.Request) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = buffered.WriteString("HTTP/1.1 200 Connection established\r\n\r\n" + r.Host)
	_ = buffered.Flush()
}

// traced is a transport that comes as far as its steps say, and is then out of
// time.
type traced func(*httptrace.ClientTrace)

func (steps traced) RoundTrip(r *http.Request) (*http.Response, error) {
	steps(httptrace.ContextClientTrace(r.Context()))
	return nil, os.ErrDeadlineExceeded
}

// With a connection at hand, nobody can say that nothing was written to it.
func TestPostIsRetriedOnlyWithoutAConnection(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		steps    traced
		attempts int
	}{
		"no connection yet": {func(c *httptrace.ClientTrace) { c.GetConn("server:443") }, 4},
		"a connection":      {func(c *httptrace.ClientTrace) { c.GetConn("server:443"); c.GotConn(httptrace.GotConnInfo{}) }, 1},
		"written":           {func(c *httptrace.ClientTrace) { c.GetConn("server:443"); c.WroteHeaderField("a", nil) }, 1},
		"nothing told":      {func(*httptrace.ClientTrace) {}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())
			require.NoError(t, err)
			transport, err := otelretryhttp.NewTransport(tt.steps, policy)
			require.NoError(t, err)
			r, err := http.NewRequest("POST", "https://server.test", strings.NewReader("x"))
			require.NoError(t, err)
			_, err = transport.RoundTrip(r)
			var failure *otelretry.Error
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, tt.attempts, failure.Attempts)
		})
	}
}

// What fails before anything of a request is written can't have been acted on.
func TestPostIsRetriedWhenTheHandshakeTimedOut(t *testing.T) {
	t.Parallel()
	handler := &answers{script: []http.HandlerFunc{status(200)}}
	server := httptest.NewTLSServer(handler)
	defer server.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close() // it accepts, and never answers the handshake
	base := server.Client().Transport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	base.TLSHandshakeTimeout = 20 * time.Millisecond
	var dials atomic.Int32
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials.Add(1) == 1 {
			address = silent.Addr().String()
		} else {
			base.TLSHandshakeTimeout = 10 * time.Second
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(base, policy)
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: transport}).Post(server.URL, "text/plain", strings.NewReader("x"))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, 1, handler.calls())
}

// A body that fails while it is read is the caller's matter.
func TestABodyThatFailsIsNotSentAgain(t *testing.T) {
	t.Parallel()
	handler := &answers{script: []http.HandlerFunc{status(200)}}
	f := start(t, handler, nil)
	broken := errors.New("the disk is broken")
	bodies := 0
	r, err := http.NewRequest("PUT", f.server.URL, nil)
	require.NoError(t, err)
	r.GetBody = func() (io.ReadCloser, error) {
		bodies++
		return io.NopCloser(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken))), nil
	}
	r.Body, _ = r.GetBody()
	r.ContentLength = 6
	_, err = f.client.Do(r)
	require.ErrorIs(t, err, broken)
	assert.Equal(t, 1, bodies)
}

func TestAnErrorPageThatStallsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for name, codes := range map[string]int{"before a retry": 503, "of what is not retried": 404} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proceed := make(chan struct{})
			server := httptest.NewServer(&answers{script: []http.HandlerFunc{
				func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Length", "10")
					w.WriteHeader(codes)
					_, _ = io.WriteString(w, "Sorry")
					w.(http.Flusher).Flush()
					select {
					case <-proceed:
						_, _ = io.WriteString(w, ", no")
						_, _ = io.WriteString(w, "!")
					case <-r.Context().Done():
					}
				},
				status(200),
			}})
			defer server.Close()
			policy, err := otelretry.New("server", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.Constant(time.Millisecond)))
			require.NoError(t, err)
			transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
			require.NoError(t, err)
			start := time.Now()
			resp, err := (&http.Client{Transport: transport}).Get(server.URL)
			require.NoError(t, err)
			assert.Less(t, time.Since(start), 10*time.Second, "the policy's deadline is 30 s")
			close(proceed)
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			if codes == 404 {
				assert.Equal(t, "Sorry, no!", string(body), "a slow page still comes through")
			}
		})
	}
}

func TestAnErrorPageThatStallsEndsWhenItsReaderClosesIt(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "10")
		w.WriteHeader(404)
		_, _ = io.WriteString(w, "Sorry")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	policy, err := otelretry.New("server", otelretry.WithoutTelemetry())
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: transport}).Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err)
}

func TestTrailersOfAFailedResponseComeThrough(t *testing.T) {
	t.Parallel()
	f := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Trailer", "Checksum")
		w.WriteHeader(404)
		_, _ = io.WriteString(w, "none")
		w.Header().Set("Checksum", "123")
	}), nil)
	resp, err := f.client.Get(f.server.URL)
	require.NoError(t, err)
	_, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, "123", resp.Trailer.Get("Checksum"))
}

func TestRequestCancelEndsTheRequest(t *testing.T) {
	t.Parallel()
	canceled := make(chan struct{})
	handler := &answers{script: []http.HandlerFunc{func(_ http.ResponseWriter, r *http.Request) {
		close(canceled)
		<-r.Context().Done()
	}}}
	f := start(t, handler, nil)
	r, err := http.NewRequest("GET", f.server.URL, nil)
	require.NoError(t, err)
	//lint:ignore SA1019 it is deprecated, and still in use
	r.Cancel = canceled
	_, err = f.client.Do(r)
	require.ErrorIs(t, err, otelretry.ErrNotRetryable)
	assert.Equal(t, 1, handler.calls())
}

// http.Client.Timeout bounds the attempts and the waits between them alike.
func TestTheClientsTimeoutEndsTheWait(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&answers{script: []http.HandlerFunc{status(503)}})
	defer server.Close()
	policy, err := otelretry.New("server", otelretry.WithoutTelemetry(), otelretry.WithBackoff(otelretry.Constant(20*time.Second)))
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
	require.NoError(t, err)
	start := time.Now()
	_, err = (&http.Client{Transport: transport, Timeout: 50 * time.Millisecond}).Get(server.URL)
	var timeout net.Error
	if err != nil { // it may give the response instead, since no wait would end in time
		require.ErrorAs(t, err, &timeout)
		assert.True(t, timeout.Timeout())
	}
	assert.Less(t, time.Since(start), 10*time.Second)
}

func TestAnEndedBodyReadIsTheCallers(t *testing.T) {
	t.Parallel()
	f := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first ")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), nil)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", f.server.URL, nil)
	require.NoError(t, err)
	resp, err := f.client.Do(r)
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(resp.Body)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, resp.Body.Close())
}

func TestTheRequestsCloseAndExpectationAreKept(t *testing.T) {
	t.Parallel()
	handler := &answers{script: []http.HandlerFunc{status(503), status(200)}}
	f := start(t, handler, nil)
	r, err := http.NewRequest("PUT", f.server.URL, strings.NewReader("abc"))
	require.NoError(t, err)
	r.Close = true
	r.Header.Set("Expect", "100-continue")
	resp, err := f.client.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, []string{"abc", "abc"}, handler.bodies)
	for _, header := range handler.headers {
		assert.Equal(t, "100-continue", header.Get("Expect"))
		assert.Equal(t, "close", header.Get("Connection"))
	}
}

func TestNewTransportRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	policy, err := otelretry.New("server", otelretry.WithoutTelemetry())
	require.NoError(t, err)
	inner, err := otelretryhttp.NewTransport(nil, policy)
	require.NoError(t, err)
	tests := map[string]struct {
		base    http.RoundTripper
		policy  *otelretry.Policy
		option  otelretryhttp.Option
		none    bool // the option is nil
		mention string
	}{
		"no policy":       {mention: "the policy is nil"},
		"stacked":         {base: inner, policy: policy, mention: "multiply"},
		"negative buffer": {policy: policy, option: otelretryhttp.WithBodyBuffer(-1), mention: "WithBodyBuffer"},
		"bad header":      {policy: policy, option: otelretryhttp.WithIdempotencyKeys("a b"), mention: "WithIdempotencyKeys"},
		"nil option":      {policy: policy, none: true, mention: "an option is nil"},
		"nil name":        {policy: policy, option: otelretryhttp.WithOperationName(nil), mention: "WithOperationName"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var options []otelretryhttp.Option
			if tt.option != nil || tt.none {
				options = append(options, tt.option)
			}
			_, err := otelretryhttp.NewTransport(tt.base, tt.policy, options...)
			require.ErrorContains(t, err, tt.mention)
		})
	}
}
