package otelretryhttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
	"github.com/retrykit/retrykit/otelretry/otelretrytest"
)

// nginxConfig is a proxy that fails in the ways that proxies do.
const nginxConfig = `
daemon off;
master_process off;
error_log stderr crit;
pid %[1]s/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  server {
    listen %[2]s;
    location /ok { proxy_pass %[3]s; }
    location /502 { proxy_pass http://127.0.0.1:1; }
    location /503 { return 503; }
    location /504 { proxy_pass %[3]s; proxy_read_timeout 100ms; }
    location /reset { return 444; }
    location /hang { proxy_pass %[3]s; proxy_read_timeout 60s; }
  }
}
`

// nginx starts a real proxy in front of a server that answers /ok and hangs
// elsewhere, and gives its address.
func nginx(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/nginx")
	}
	if err != nil {
		if os.Getenv("RETRYKIT_REQUIRE_E2E") == "1" {
			t.Fatal("nginx is not installed: run make test-deps")
		}
		t.Skip("nginx is not installed; make test-deps installs it")
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/ok") {
			_, _ = io.Copy(w, r.Body)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // the server sees a client leave only once it has read what it sent
		<-r.Context().Done()
	}))
	t.Cleanup(upstream.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())

	dir, err := os.MkdirTemp("", "nginx")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, address, upstream.URL), 0o600))
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, program, "-c", config, "-p", dir)
	command.Stderr = t.Output()
	require.NoError(t, command.Start())
	t.Cleanup(func() { cancel(); _ = command.Wait() })
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, 20*time.Second, 10*time.Millisecond)
	return "http://" + address
}

func TestBehindNginx(t *testing.T) {
	url := nginx(t)
	tests := []struct {
		path, method string
		keys         bool
		wantStatus   int
		wantErr      error
		wantAttempts int
	}{
		{path: "/ok", method: "PUT", wantStatus: 200, wantAttempts: 1},
		{path: "/502", method: "GET", wantStatus: 502, wantAttempts: 3},
		{path: "/503", method: "GET", wantStatus: 503, wantAttempts: 3},
		{path: "/504", method: "GET", wantStatus: 504, wantAttempts: 3},
		{path: "/reset", method: "GET", wantErr: otelretry.ErrExhausted, wantAttempts: 3},
		{path: "/hang", method: "GET", wantErr: otelretry.ErrExhausted, wantAttempts: 3},
		{path: "/502", method: "POST", wantStatus: 502, wantAttempts: 1},
		{path: "/502", method: "POST", keys: true, wantStatus: 502, wantAttempts: 3},
		{path: "/reset", method: "POST", wantErr: otelretry.ErrNotRetryable, wantAttempts: 1},
		{path: "/reset", method: "POST", keys: true, wantErr: otelretry.ErrExhausted, wantAttempts: 3},
		{path: "/hang", method: "POST", wantErr: otelretry.ErrNotRetryable, wantAttempts: 1},
	}
	for _, tt := range tests {
		t.Run(strings.Trim(tt.path, "/")+" "+tt.method, func(t *testing.T) {
			recorder := otelretrytest.NewRecorder(t)
			policy, err := otelretry.New("proxy", append(recorder.Options(), otelretry.WithMaxAttempts(3),
				otelretry.WithBackoff(otelretry.Constant(time.Millisecond)), otelretry.WithAttemptTimeout(500*time.Millisecond))...)
			require.NoError(t, err)
			var options []otelretryhttp.Option
			if tt.keys {
				options = append(options, otelretryhttp.WithIdempotencyKeys(""))
			}
			base := &http.Transport{DisableKeepAlives: true}
			transport, err := otelretryhttp.NewTransport(base, policy, options...)
			require.NoError(t, err)
			r, err := http.NewRequest(tt.method, url+tt.path, strings.NewReader("abc"))
			require.NoError(t, err)
			resp, err := (&http.Client{Transport: transport}).Do(r)
			if tt.wantErr != nil {
				require.ErrorIs(t, err, tt.wantErr)
			} else {
				require.NoError(t, err)
				assert.Equal(t, tt.wantStatus, resp.StatusCode)
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				assert.NotEmpty(t, body, "the last body stays readable")
				require.NoError(t, resp.Body.Close())
			}
			assert.EqualValues(t, tt.wantAttempts, recorder.Count("otelretry.attempts"))
			recorder.AssertConsistent()
		})
	}
}
