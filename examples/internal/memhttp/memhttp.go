// Package memhttp runs an HTTP handler over an in-memory network, for tests in
// a testing/synctest bubble: a real socket would keep its clock from moving.
package memhttp

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/test/bufconn"
)

// URL is where the client that Serve returns finds the handler. Any other host
// leads there too.
const URL = "http://memory"

// Serve runs the handler until the test ends and returns a client that reaches
// it. Inside a bubble it must be given the bubble's t.
func Serve(t testing.TB, handler http.Handler) *http.Client {
	t.Helper()
	listener := bufconn.Listen(64 << 10)
	server := &http.Server{Handler: handler}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	transport := &http.Transport{
		DisableKeepAlives: true, // on a dead one net/http would repeat requests by itself
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.DialContext(ctx) },
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		// Not Close: net/http lingers for half a second on a connection whose
		// request it did not read to the end.
		grace, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		require.NoError(t, server.Shutdown(grace))
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return &http.Client{Transport: transport}
}
