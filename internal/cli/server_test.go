package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/retrykit/retrykit/internal/cli"
)

// partial is a server one of whose stores is away.
func partial(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "query_range") {
			_, _ = fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
			return
		}
		_, _ = fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"retry_dependency":"payments","retry_operation":"charge"},`+
			`"value":[1767225600,"5"]}]},"warnings":["store 10.0.0.7 is away"]}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// What a server leaves out is said in every form of output, and an error where
// that was asked for.
func TestPartialAnswersAreSaid(t *testing.T) {
	from := []string{"--prometheus", partial(t), "--naming", "UnderscoreEscapingWithSuffixes"}
	for name, tt := range map[string]struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		"table":  {[]string{"report"}, 0, "x warning of the server: store 10.0.0.7 is away", ""},
		"JSON":   {[]string{"report", "-f", "json"}, 0, `"reason": "warning of the server: store 10.0.0.7 is away"`, ""},
		"CSV":    {[]string{"report", "-f", "csv"}, 0, "payments", "x warning of the server: store 10.0.0.7 is away"},
		"check":  {[]string{"check", "-t", "attempts_per_request<9"}, 0, "ok", "x warning of the server: store 10.0.0.7 is away"},
		"strict": {[]string{"report", "--strict"}, 2, "payments", "x warning of the server: store 10.0.0.7 is away"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, "", append(tt.args, from...)...)
			assert.Equal(t, tt.code, code, stderr)
			assert.Contains(t, stdout, tt.stdout)
			assert.Contains(t, stderr, tt.stderr)
		})
	}
}

func TestServersThatDoNotAnswer(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no scheme":         {[]string{"report", "--prometheus", "127.0.0.1:9090"}, `"127.0.0.1:9090" has to begin with http:// or https:// and name a host`},
		"no host":           {[]string{"report", "--prometheus", "http://"}, `"http://" has to begin with`},
		"malformed":         {[]string{"report", "--prometheus", "http://user:secret@[::1"}, "the Prometheus URL: missing ']' in host"},
		"nobody there":      {[]string{"report", "--prometheus", "http://127.0.0.1:1"}, "asking http://127.0.0.1:1: dial tcp 127.0.0.1:1: connect"},
		"slow":              {[]string{"report", "--prometheus", silent.URL, "--timeout", "100ms"}, "did not answer within 100ms; raise --timeout or narrow the window"},
		"interrupted":       {[]string{"report", "--prometheus", silent.URL}, "interrupted before the server had answered"},
		"interrupted check": {[]string{"check", "-t", "attempts<1", "--prometheus", silent.URL}, "interrupted before the server had answered"},
		"interrupted rules": {[]string{"rules", "--prometheus", silent.URL}, "interrupted before the server had answered"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			if strings.HasPrefix(name, "interrupted") {
				time.AfterFunc(200*time.Millisecond, cancel)
			}
			defer cancel()
			var out, errs bytes.Buffer
			assert.Equal(t, 2, cli.Main(ctx, tt.args, cli.Env{Stdout: &out, Stderr: &errs}))
			assert.Contains(t, errs.String(), tt.want)
			assert.NotContains(t, errs.String(), "secret")
			assert.Empty(t, out.String())
		})
	}
}

func TestWatchAsksAServer(t *testing.T) {
	var out bytes.Buffer
	args := []string{"watch", "--interval", "100ms", "--rounds", "3", "--prometheus", partial(t), "--naming", "UnderscoreEscapingWithSuffixes"}
	code := cli.Main(t.Context(), args, cli.Env{Stdout: &out, Stderr: &out})
	assert.Equal(t, 0, code, out.String())
	assert.Equal(t, 3, strings.Count(out.String(), "DEPENDENCY"))
	assert.Equal(t, 3, strings.Count(out.String(), "store 10.0.0.7 is away"))
}
