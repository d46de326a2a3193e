package promapi_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/internal/promapi"
	"github.com/retrykit/retrykit/internal/promname"
	"github.com/retrykit/retrykit/internal/summary"
)

// answering serves what a server says to every question.
func answering(t testing.TB, answer http.HandlerFunc) string {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

func askAll(t testing.TB, url string) (*summary.Summary, error) {
	return promapi.Summarise(t.Context(), promapi.Options{
		Connection: promapi.Connection{URL: url, Timeout: 5 * time.Minute}, End: time.Unix(1767225600, 0),
		Naming: promname.UnderscoreEscapingWithSuffixes, Timeline: true,
	})
}

// TestAnswersThatAreNone are those that a proxy gives, or a server that is not
// what it should be: each is an error that says so, and no figure.
func TestAnswersThatAreNone(t *testing.T) {
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"a page to log in at":      {body("<html>log in</html>"), "not as Prometheus' HTTP API does"},
		"nothing":                  {body(""), "not as Prometheus' HTTP API does"},
		"JSON of something else":   {body(`{"message":"welcome"}`), "without a result"},
		"an array":                 {body(`[1,2]`), "not as Prometheus' HTTP API does"},
		"no data":                  {body(`{"status":"success"}`), "without a result"},
		"null data":                {body(`{"status":"success","data":null}`), "without a result"},
		"a result of no type":      {body(`{"status":"success","data":{"result":[]}}`), "not as Prometheus' HTTP API does"},
		"a number":                 {body(`{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}`), "with a scalar instead of a vector"},
		"cut short":                {body(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"va`), "not as Prometheus' HTTP API does"},
		"an error with status 200": {body(`{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`), "too many samples"},
		"deep nesting":             {body(strings.Repeat(`{"data":`, 1<<14)), "not as Prometheus' HTTP API does"},
		"a redirect to a login": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/login" {
				http.Redirect(w, r, "/login", http.StatusFound)
				return
			}
			_, _ = w.Write([]byte("<html>log in</html>"))
		}, "not as Prometheus' HTTP API does"},
		"redirects without end": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, "stopped after 10 redirects"},
		"an answer without end": {func(w http.ResponseWriter, r *http.Request) {
			block := []byte(strings.Repeat(" ", 1<<20))
			for r.Context().Err() == nil {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}, "longer than 64 MiB"},
		"a connection that is cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"status"`))
		}, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := answering(t, tt.answer)
			s, err := askAll(t, url)
			assert.ErrorContains(t, err, tt.want)
			assert.ErrorContains(t, err, url)
			assert.Nil(t, s)
			assert.Less(t, len(err.Error()), 2000, "what came is not repeated at length")
		})
	}
}

// TestAnswerThatDrips comes byte by byte: the time of a question is that of
// its whole answer.
func TestAnswerThatDrips(t *testing.T) {
	url := answering(t, func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = w.Write([]byte(" "))
				w.(http.Flusher).Flush()
			}
		}
	})
	err := summarise(t, promapi.Connection{URL: url, Timeout: 50 * time.Millisecond})
	assert.ErrorContains(t, err, "did not answer within 50ms")
}

// vector is an answer with one value for one operation, in each kind of result.
func vector(value, more string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		kind, key, at := "vector", "value", fmt.Sprintf(`[1767225600,%s]`, value)
		if strings.HasSuffix(r.URL.Path, "query_range") {
			kind, key, at = "matrix", "values", "["+at+"]"
		}
		_, _ = fmt.Fprintf(w, `{"status":"success","data":{"resultType":%q,"result":[{"metric":{"retry_dependency":"payments","retry_operation":"charge"},%q:%s}]}%s}`,
			kind, key, at, more)
	}
}

// TestAnswersLeaveSomethingOut are warnings, which a server gives with what it
// has when not all of its stores answer, and numbers that can't be: the report
// says so.
func TestAnswersLeaveSomethingOut(t *testing.T) {
	for name, tt := range map[string]struct {
		answer  http.HandlerFunc
		reason  string // "": nothing was left out
		unknown bool   // the number of requests is
	}{
		"nothing":            {vector(`"5"`, ""), "", false},
		"a warning":          {vector(`"5"`, `,"warnings":["store 10.0.0.7:10901 is unreachable"]`), "warning of the server: store 10.0.0.7:10901 is unreachable", false},
		"a remark":           {vector(`"5"`, `,"infos":["PromQL info: metric might not be a counter"]`), "", false},
		"a remark, long ago": {vector(`"5"`, `,"warnings":["PromQL info: metric might not be a counter"]`), "", false},
		"infinity":           {vector(`"+Inf"`, ""), "value of the server's that is negative or not finite", true},
		"less than nothing":  {vector(`"-1"`, ""), "value of the server's that is negative or not finite", true},
		"nothing happened":   {vector(`"NaN"`, ""), "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := askAll(t, answering(t, tt.answer))
			if tt.unknown && tt.reason == "" {
				require.ErrorIs(t, err, promapi.ErrNoSeries)
				return
			}
			if tt.unknown {
				require.ErrorContains(t, err, tt.reason)
				return
			}
			require.NoError(t, err)
			require.Len(t, s.Operations, 1)
			assert.Equal(t, 5.0, *s.Operations[0].Requests)
			if tt.reason == "" {
				assert.Empty(t, s.Input.Skipped)
				return
			}
			require.Len(t, s.Input.Skipped, 1)
			assert.Equal(t, tt.reason, s.Input.Skipped[0].Reason)
			assert.Greater(t, s.Input.Skipped[0].Count, int64(1))
			assert.NotEmpty(t, s.Input.Skipped[0].Example)
		})
	}
}

// TestQuantilesWithoutBuckets is what Prometheus answers where le is lost or
// its last bucket is missing: NaN, which is not known.
func TestQuantilesWithoutBuckets(t *testing.T) {
	s, err := askAll(t, answering(t, func(w http.ResponseWriter, r *http.Request) {
		value := `"5"`
		if strings.Contains(r.FormValue("query"), "histogram_quantile") {
			value = `"NaN"`
		}
		vector(value, "")(w, r)
	}))
	require.NoError(t, err)
	assert.Empty(t, s.Input.Skipped)
	d := s.Operations[0].RequestDuration
	assert.Nil(t, d.P50)
	assert.Nil(t, d.P99)
	assert.Equal(t, 5.0, *d.Mean)
}

// TestNativeHistogramInsteadOfANumber has no number, and is not 0.
func TestNativeHistogramInsteadOfANumber(t *testing.T) {
	s, err := askAll(t, answering(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "query_range") || !strings.Contains(r.FormValue("query"), "replays") {
			vector(`"5"`, "")(w, r)
			return
		}
		_, _ = w.Write([]byte(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"retry_dependency":"payments","retry_operation":"charge"},` +
			`"histogram":[1767225600,{"count":"3","sum":"4","buckets":[[0,"1","2","3"]]}]}]}}`))
	}))
	require.NoError(t, err)
	assert.Nil(t, s.Operations[0].Replays)
	require.Len(t, s.Input.Skipped, 1)
	assert.Equal(t, "native histogram where the server was asked for a number", s.Input.Skipped[0].Reason)
}

// FuzzAnswers gives the same answer to every question: no panic, and no figure
// that cannot be written.
func FuzzAnswers(f *testing.F) {
	for _, answer := range []string{
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"retry_dependency":"d","retry_operation":"o","error_type":"503","retry_outcome":"canceled"},"value":[1,"5"]}]}}`,
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"histogram":[1,{"count":"3","sum":"4","buckets":[[0,"1","2","3"]]}]}]}}`,
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"5"],[2,"NaN"],[3,"+Inf"]]}]},"warnings":["partial"]}`,
		`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1e300,"-1e300"]}]}}`,
		`{"status":"success","data":{"resultType":"string","result":[1,"x"]}}`,
		`{"status":"success","data":null}`, `{"status":"error","errorType":"bad_data","error":"no"}`, `<html>`, ``, `null`,
	} {
		f.Add([]byte(answer), 200)
		f.Add([]byte(answer), 400)
	}
	var answer atomic.Pointer[[]byte]
	var status atomic.Int64
	url := answering(f, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		_, _ = w.Write(*answer.Load())
	})
	f.Fuzz(func(t *testing.T, data []byte, code int) {
		if code < 200 || code > 599 {
			code = 200
		}
		answer.Store(&data)
		status.Store(int64(code))
		s, err := askAll(t, url)
		if err != nil {
			return
		}
		_, err = json.Marshal(s) // infinity can't be
		require.NoError(t, err)
		for _, op := range s.Operations {
			require.False(t, *op.Requests < 0 || math.IsInf(*op.Requests, 0))
		}
	})
}

// The window is named as people write it, in messages and in PromQL.
func TestWindowsAreNamedAsPeopleWriteThem(t *testing.T) {
	url := answering(t, body(`{"status":"success","data":{"resultType":"vector","result":[]}}`))
	for window, want := range map[time.Duration]string{time.Hour: "1h", 90 * time.Minute: "1h30m", 36 * time.Hour: "1d12h", 1500 * time.Millisecond: "1s500ms"} {
		_, err := promapi.Summarise(t.Context(), promapi.Options{Connection: promapi.Connection{URL: url, Timeout: time.Minute}, Window: window, End: time.Unix(1767225600, 0)})
		assert.ErrorContains(t, err, "no retry metrics in the last "+want+", under any of the four name translations")
	}
}
