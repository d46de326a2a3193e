package otelretryhttp_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/http2"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

func TestHTTP2(t *testing.T) {
	t.Parallel()
	handler := &answers{script: []http.HandlerFunc{hangUp, status(503), func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}}}
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
	require.NoError(t, err)
	client := &http.Client{Transport: transport}

	r, err := http.NewRequest("PUT", server.URL, strings.NewReader("abc"))
	require.NoError(t, err)
	resp, err := client.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, "HTTP/2.0", string(body))
	assert.Equal(t, []string{"abc", "abc", "abc"}, handler.bodies)
	client.CloseIdleConnections()
}

// goingAway serves HTTP/2 and leaves the first request without an answer: it
// says that it is going away, as a server that crashes does, and closes. All
// others get a 200.
func goingAway(t *testing.T, server *httptest.Server) {
	t.Helper()
	var gone atomic.Bool
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
			defer conn.Close()
			_, _ = io.ReadFull(conn, make([]byte, len(http2.ClientPreface)))
			framer := http2.NewFramer(conn, conn)
			_ = framer.WriteSettings()
			for {
				frame, err := framer.ReadFrame()
				if err != nil {
					return
				}
				switch frame.(type) {
				case *http2.HeadersFrame, *http2.DataFrame:
				default:
					continue
				}
				if !frame.Header().Flags.Has(http2.FlagDataEndStream) { // the same bit in both
					continue
				}
				if gone.CompareAndSwap(false, true) {
					_ = framer.WriteGoAway(frame.Header().StreamID, http2.ErrCodeInternal, nil)
					return
				}
				answer(framer, frame.Header().StreamID)
			}
		},
	}
	server.TLS = &tls.Config{NextProtos: []string{"h2"}}
	server.StartTLS()
}

func TestHTTP2ConnectionThatGoesAway(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]int{"GET": 200, "PUT": 200, "POST": 0} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(nil)
			server.EnableHTTP2 = true
			goingAway(t, server)
			defer server.Close()
			policy, err := otelretry.New("server", otelretry.WithClock(otelretrytest.NewClock(1)), otelretry.WithoutTelemetry())
			require.NoError(t, err)
			transport, err := otelretryhttp.NewTransport(server.Client().Transport, policy)
			require.NoError(t, err)
			var body io.Reader
			if method != "GET" {
				body = strings.NewReader("abc")
			}
			r, err := http.NewRequest(method, server.URL, body)
			require.NoError(t, err)
			resp, err := (&http.Client{Transport: transport}).Do(r)
			if want == 0 {
				require.ErrorIs(t, err, otelretry.ErrNotRetryable, "the server may have acted")
				return
			}
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, want, resp.StatusCode)
		})
	}
}

// A server that refuses a stream has done nothing with it, so that even a POST
// can be repeated. net/http does so by itself, for half a minute; what it gives
// up, the policy takes on.
func TestHTTP2RefusedStream(t *testing.T) {
	t.Parallel()
	bodies := map[string]func() io.Reader{
		"no body":                  func() io.Reader { return nil },
		"a body with GetBody":      func() io.Reader { return strings.NewReader("abc") },
		"a body that was buffered": func() io.Reader { return onlyReader{strings.NewReader("abc")} },
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const byNetHTTP = 7 // its own sends of one attempt
				var streams atomic.Int32
				base := piped(t, func(framer *http2.Framer, stream uint32, ended bool) bool {
					switch {
					case !ended:
					case streams.Add(1) <= byNetHTTP:
						_ = framer.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
					default:
						answer(framer, stream)
					}
					return true
				})
				client := clientOver(t, base)
				r, err := http.NewRequest("POST", "http://server.test/", body())
				require.NoError(t, err)
				if _, hidden := r.Body.(io.Reader); hidden && r.GetBody == nil {
					r.ContentLength = 3
				}
				resp, err := client.Do(r)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				assert.Equal(t, 200, resp.StatusCode)
				assert.EqualValues(t, byNetHTTP+1, streams.Load())
			})
		})
	}
}

// piped is a transport whose connections are pipes to a server of HTTP/2 frames
// in the same bubble of time. The server hands on where each stream begins
// without its end, and where it ends; on false it hangs up.
func piped(t *testing.T, serve func(framer *http2.Framer, stream uint32, ended bool) bool) *http.Transport {
	t.Helper()
	base := &http.Transport{
		Protocols: new(http.Protocols),
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			t.Cleanup(func() { _ = client.Close() })
			answers := make(queue, 100)
			go func() {
				defer server.Close()
				for frame := range answers {
					if _, err := server.Write(frame); err != nil {
						return
					}
				}
			}()
			go func() {
				defer close(answers)
				_, _ = io.ReadFull(server, make([]byte, len(http2.ClientPreface)))
				framer := http2.NewFramer(answers, server)
				_ = framer.WriteSettings()
				for {
					frame, err := framer.ReadFrame()
					if err != nil {
						return
					}
					_, begins := frame.(*http2.HeadersFrame)
					_, continues := frame.(*http2.DataFrame)
					ended := (begins || continues) && frame.Header().Flags.Has(http2.FlagDataEndStream) // the same bit in both
					if (begins || ended) && !serve(framer, frame.Header().StreamID, ended) {
						go func() { _, _ = io.Copy(io.Discard, server) }() // until what was answered is written
						return
					}
					if size := frame.Header().Length; continues && size > 0 && !ended {
						_ = framer.WriteWindowUpdate(0, size)
						_ = framer.WriteWindowUpdate(frame.Header().StreamID, size)
					}
				}
			}()
			return client, nil
		},
	}
	base.Protocols.SetUnencryptedHTTP2(true)
	return base
}

// queue takes what is written while the other side of a pipe is writing too.
type queue chan []byte

func (q queue) Write(frame []byte) (int, error) {
	q <- bytes.Clone(frame)
	return len(frame), nil
}

// answer ends a stream with the status 200.
func answer(framer *http2.Framer, stream uint32) {
	const ok = 0x88 // ":status: 200" in HPACK's static table
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: []byte{ok}, EndHeaders: true, EndStream: true})
}

func clientOver(t *testing.T, base http.RoundTripper) *http.Client {
	t.Helper()
	policy, err := otelretry.New("server", otelretry.WithoutTelemetry(), otelretry.WithDeadline(10*time.Minute))
	require.NoError(t, err)
	transport, err := otelretryhttp.NewTransport(base, policy)
	require.NoError(t, err)
	return &http.Client{Transport: transport}
}
