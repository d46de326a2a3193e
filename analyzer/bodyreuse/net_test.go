package bodyreuse_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the check says of net/http holds: on a new connection, GetBody does not
// save a second Do with one request.
func TestGetBodyIsNotForNewConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		assert.NoError(t, err)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequest(http.MethodPut, server.URL, strings.NewReader("hello"))
	require.NoError(t, err)
	resp, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	_, err = client.Do(req)
	assert.ErrorContains(t, err, "ContentLength=5 with Body length 0")
}

// A request that is made anew of the same reader has what the one before left.
func TestARequestTakesWhatIsLeftOfAReader(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		got = append(got, string(body))
	}))
	defer server.Close()
	body := strings.NewReader("hello")
	for range 2 {
		req, err := http.NewRequest(http.MethodPut, server.URL, body)
		require.NoError(t, err)
		resp, err := server.Client().Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	assert.Equal(t, []string{"hello", ""}, got)
}
