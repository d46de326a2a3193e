package main

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/test/bufconn"

	"github.com/retrykit/retrykit/examples/flakyserver"
)

func TestServeStopsAtOnceThoughAnAttemptHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flaky, _, err := flakyserver.NewStandard(1, time.Second, 0)
		require.NoError(t, err)
		listener := bufconn.Listen(64 << 10)
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- serve(ctx, listener, flaky) }()

		conn, err := listener.DialContext(t.Context())
		require.NoError(t, err)
		defer conn.Close()
		req, err := http.NewRequest(http.MethodGet, "http://memory/hangs/1", nil)
		require.NoError(t, err)
		require.NoError(t, req.Write(conn))
		synctest.Wait() // the attempt is under way

		start := time.Now()
		stop()
		require.NoError(t, <-served)
		assert.Less(t, time.Since(start), 5*time.Second, "less than the grace period")
	})
}

func TestBadFlagsAreRefused(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"-failing", "2"}, "0 to 1"},
		{[]string{"-retry-after", "-1s"}, "Retry-After"},
		{[]string{"-addr", "localhost:x"}, "unknown port"},
		{[]string{"extra"}, `unexpected argument "extra"`},
	} {
		err := run(t.Context(), tc.args)
		require.ErrorContains(t, err, tc.want)
		assert.False(t, errors.Is(err, flag.ErrHelp))
	}
}
