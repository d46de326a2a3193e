package otelretryhttp_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/otelretry"
	"github.com/retrykit/retrykit/otelretry/otelretryhttp"
)

// bare answers with these responses in turn, as a hand-written RoundTripper does.
type bare []*http.Response

func (b *bare) RoundTrip(*http.Request) (*http.Response, error) {
	next := (*b)[0]
	*b = (*b)[1:]
	return next, nil
}

// A response without a body is one that http.Client takes from any RoundTripper,
// and so is no response at all an error and no panic.
func TestBareResponses(t *testing.T) {
	policy, err := otelretry.New("payments", otelretry.WithBackoff(otelretry.Constant(time.Millisecond)), otelretry.WithoutTelemetry())
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		answers bare
		want    int // 0: an error
	}{
		"success without a body":        {bare{{StatusCode: 204}}, 204},
		"failure without a body":        {bare{{StatusCode: 404}}, 404},
		"saved, without bodies":         {bare{{StatusCode: 503}, {StatusCode: 503}, {StatusCode: 200}}, 200},
		"given up, without bodies":      {bare{{StatusCode: 503}, {StatusCode: 503}, {StatusCode: 503}, {StatusCode: 503}}, 503},
		"no response and no error":      {bare{nil}, 0},
		"a failure, and then no answer": {bare{{StatusCode: 503}, nil}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			transport, err := otelretryhttp.NewTransport(&tt.answers, policy)
			require.NoError(t, err)
			resp, err := (&http.Client{Transport: transport}).Get("http://payments.example/charge")
			assert.Empty(t, tt.answers)
			if tt.want == 0 {
				require.ErrorContains(t, err, "neither a response nor an error")
				return
			}
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.Equal(t, tt.want, resp.StatusCode)
		})
	}
}
