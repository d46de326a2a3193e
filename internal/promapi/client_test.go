package promapi_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promapi"
)

func summarise(t *testing.T, c promapi.Connection) error {
	t.Helper()
	_, err := promapi.Summarise(t.Context(), promapi.Options{Connection: c, End: time.Unix(1767225600, 0)})
	return err
}

func TestUnreachableOrSlowServer(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	assert.ErrorContains(t, summarise(t, promapi.Connection{URL: closed.URL}), "asking "+closed.URL)

	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	err := summarise(t, promapi.Connection{URL: slow.URL, Timeout: 20 * time.Millisecond})
	assert.ErrorContains(t, err, "did not answer within 20ms")

	html := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<html>log in</html>"))
	}))
	defer html.Close()
	assert.Error(t, summarise(t, promapi.Connection{URL: html.URL}))

	for status, want := range map[int]string{
		http.StatusUnauthorized: "401", http.StatusForbidden: "403", http.StatusServiceUnavailable: "503",
	} {
		refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "not for you", status)
		}))
		err := summarise(t, promapi.Connection{URL: refusing.URL})
		refusing.Close()
		assert.ErrorContains(t, err, refusing.URL+" refused")
		assert.ErrorContains(t, err, want)
	}

	for _, url := range []string{"", "localhost:9090", "ftp://x", "http://"} {
		assert.ErrorContains(t, summarise(t, promapi.Connection{URL: url}), "Prometheus URL", url)
	}
}

func TestTokenHeadersAndTLS(t *testing.T) {
	var seen http.Header
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"success","data":{"resultType":"vector","result":[]}}`))
	}))
	defer server.Close()
	assert.ErrorContains(t, summarise(t, promapi.Connection{URL: server.URL}), "certificate")

	ca := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	err := summarise(t, promapi.Connection{URL: server.URL, CAFile: ca, BearerToken: "secret", Headers: map[string]string{"X-Scope-OrgID": "shop"}})
	assert.ErrorIs(t, err, promapi.ErrNoSeries)
	assert.Equal(t, "Bearer secret", seen.Get("Authorization"))
	assert.Equal(t, "shop", seen.Get("X-Scope-OrgID"))

	assert.ErrorContains(t, summarise(t, promapi.Connection{URL: server.URL, CAFile: "missing.pem"}), "certificates to trust")
	assert.ErrorContains(t, summarise(t, promapi.Connection{URL: server.URL, CertFile: ca}), "both its file and its key's")
	assert.ErrorIs(t, summarise(t, promapi.Connection{URL: server.URL, Insecure: true}), promapi.ErrNoSeries)
}

func TestTokenStaysWithItsHost(t *testing.T) {
	var token string
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token = r.Header.Get("Authorization")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	assert.Error(t, summarise(t, promapi.Connection{URL: server.URL, BearerToken: "secret"}))
	assert.Empty(t, token)
}
