package cli_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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

func TestWatchAsksAServer(t *testing.T) {
	var out bytes.Buffer
	args := []string{"watch", "--interval", "100ms", "--rounds", "3", "--prometheus", partial(t), "--naming", "UnderscoreEscapingWithSuffixes"}
	code := cli.Main(t.Context(), args, cli.Env{Stdout: &out, Stderr: &out})
	assert.Equal(t, 0, code, out.String())
	assert.Equal(t, 3, strings.Count(out.String(), "DEPENDENCY"))
	assert.Equal(t, 3, strings.Count(out.String(), "store 10.0.0.7 is away"))
}
