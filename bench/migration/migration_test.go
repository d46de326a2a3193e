package migration

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/retrykit/retrykit/otelretry"
)

// unavailable is the failure of an HTTP client.
type unavailable struct{}

func (unavailable) Error() string   { return "unavailable" }
func (unavailable) StatusCode() int { return http.StatusServiceUnavailable }

// scripted is a client whose calls fail in turn.
type scripted struct {
	failures []error
	calls    int
	keys     map[string]bool
}

func (s *scripted) Charge(_ context.Context, order Order) (Receipt, error) {
	s.calls++
	if s.calls <= len(s.failures) {
		return Receipt{}, s.failures[s.calls-1]
	}
	return Receipt{Order: order.ID}, nil
}

func (s *scripted) ChargeOnce(ctx context.Context, key string, order Order) (Receipt, error) {
	s.keys[key] = true
	return s.Charge(ctx, order)
}

// What was retried is retried afterwards, and what wasn't isn't.
func TestBeforeAndAfterComeToTheSame(t *testing.T) {
	for name, charge := range map[string]func(context.Context, *shop, Order) (Receipt, error){
		"cenkalti before": cenkaltiBefore, "cenkalti after": cenkaltiAfter,
		"avast before": avastBefore, "avast after": avastAfter,
		"sethvargo before": sethvargoBefore, "sethvargo after": sethvargoAfter,
		"failsafe before": failsafeBefore, "failsafe after": failsafeAfter,
		"gax before": gaxBefore, "gax after": gaxAfter,
		"k8s before": k8sBefore, "k8s after": k8sAfter,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failure := error(unavailable{})
			if strings.HasPrefix(name, "gax") { // which knows gRPC only
				failure = status.Error(codes.Unavailable, "unavailable")
			}
			client := &scripted{failures: []error{failure, failure}, keys: map[string]bool{}}
			s, err := newShop(client)
			require.NoError(t, err)
			receipt, err := charge(t.Context(), s, Order{ID: "7"})
			require.NoError(t, err)
			assert.Equal(t, Receipt{Order: "7"}, receipt)
			assert.Equal(t, 3, client.calls)
			assert.LessOrEqual(t, len(client.keys), 1, "one key for all attempts")

			client = &scripted{failures: []error{ErrDeclined}, keys: map[string]bool{}}
			s, err = newShop(client)
			require.NoError(t, err)
			_, err = charge(t.Context(), s, Order{ID: "7"})
			require.ErrorIs(t, err, ErrDeclined)
			assert.Equal(t, 1, client.calls)
		})
	}
}

func TestHTTP(t *testing.T) {
	for name, get := range map[string]func(*otelretry.Policy, string) (*http.Response, error){
		"before": retryablehttpBefore, "after": retryablehttpAfter,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if calls.Add(1) == 1 {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}))
			t.Cleanup(server.Close)
			s, err := newShop(nil)
			require.NoError(t, err)
			response, err := get(s.charge.Policy(), server.URL)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, http.StatusOK, response.StatusCode)
			assert.EqualValues(t, 2, calls.Load())
		})
	}
}

func TestAWS(t *testing.T) {
	assert.Equal(t, 1, awsWithoutRetries(aws.Config{}).Retryer().MaxAttempts())
	policy, err := awsPolicy()
	require.NoError(t, err)
	for code, attempts := range map[string]int{"ThrottlingException": 2, "NoSuchBucket": 1} {
		calls := 0
		_ = policy.Operation("get").Run(t.Context(), func(context.Context) error {
			if calls++; calls == 1 {
				return &smithy.GenericAPIError{Code: code}
			}
			return nil
		})
		assert.Equal(t, attempts, calls, code)
	}
}
