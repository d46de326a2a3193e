package after

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/examples/checkout/shop"
	"github.com/retrykit/retrykit/examples/flakyserver"
	"github.com/retrykit/retrykit/examples/internal/memhttp"
	"github.com/retrykit/retrykit/otelretry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var order = shop.Order{ID: "o1", AmountCents: 1999, Currency: "EUR"}

// serve starts the dependencies; a route that is not named is fine.
func serve(t *testing.T, latency time.Duration, routes map[string]flakyserver.Behaviour) (*Service, *flakyserver.Server, *flakyserver.Ledger) {
	t.Helper()
	flaky := flakyserver.NewServer(1)
	behaviour := func(route string) flakyserver.Behaviour {
		if b := routes[route]; b != nil {
			return b
		}
		return flakyserver.Fine()
	}
	for _, route := range []string{"GET /customers/{id}", "PUT /stock/{id}", "GET /quotes/{id}"} {
		flaky.Route(route, behaviour(route))
	}
	ledger := flakyserver.NewLedger(latency)
	flaky.RouteCharges("POST /charges", ledger, behaviour("POST /charges"))
	t.Cleanup(flaky.Close)
	service, err := NewService(memhttp.URL, memhttp.Serve(t, flaky), otelretry.WithLogger(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	return service, flaky, ledger
}

func attempts(flaky *flakyserver.Server, route string) int {
	for _, s := range flaky.Stats() {
		if s.Route == route {
			return s.Attempts
		}
	}
	return 0
}

func TestCheckout(t *testing.T) {
	for _, tc := range []struct {
		name     string
		latency  time.Duration // of a charge
		routes   map[string]flakyserver.Behaviour
		route    string // whose attempts are counted
		attempts int
		reason   error // nil when the order is paid for
		charges  int
		atLeast  time.Duration
		atMost   time.Duration
	}{
		{
			name:  "all is well",
			route: "POST /charges", attempts: 1, charges: 1,
		},
		{
			name:   "a customer who does not exist is looked up once",
			routes: map[string]flakyserver.Behaviour{"GET /customers/{id}": flakyserver.Missing()},
			route:  "GET /customers/{id}", attempts: 1, charges: 1,
		},
		{
			name:   "a throttled reservation waits as long as it was told",
			routes: map[string]flakyserver.Behaviour{"PUT /stock/{id}": flakyserver.Throttled(3 * time.Second)},
			route:  "PUT /stock/{id}", attempts: 2, charges: 1, atLeast: 3 * time.Second, atMost: 4 * time.Second,
		},
		{
			name:   "a wait longer than the checkout can take ends it at once",
			routes: map[string]flakyserver.Behaviour{"PUT /stock/{id}": flakyserver.Throttled(time.Minute)},
			route:  "PUT /stock/{id}", attempts: 1, reason: otelretry.ErrPushback,
		},
		{
			name:   "a quote that hangs costs two seconds",
			routes: map[string]flakyserver.Behaviour{"GET /quotes/{id}": flakyserver.Hangs()},
			route:  "GET /quotes/{id}", attempts: 2, charges: 1, atLeast: 1200 * time.Millisecond, atMost: 2 * time.Second,
		},
		{
			name:   "a lost answer charges once",
			routes: map[string]flakyserver.Behaviour{"POST /charges": flakyserver.First(1, flakyserver.Hangs())},
			route:  "POST /charges", attempts: 2, charges: 1, atLeast: 800 * time.Millisecond, atMost: time.Second,
		},
		{
			name:    "a charge slower than its attempt is found in progress, then made",
			latency: 1100 * time.Millisecond,
			route:   "POST /charges", attempts: 3, charges: 1, atLeast: 1800 * time.Millisecond, atMost: 3 * time.Second,
		},
		{
			name:   "payments that stay down are given up on",
			routes: map[string]flakyserver.Behaviour{"POST /charges": flakyserver.Down()},
			route:  "POST /charges", attempts: 4, reason: otelretry.ErrExhausted, atMost: 1400 * time.Millisecond,
		},
		{
			name:   "payments that recover in time",
			routes: map[string]flakyserver.Behaviour{"POST /charges": flakyserver.First(3, flakyserver.Down())},
			route:  "POST /charges", attempts: 4, charges: 1, atMost: 1400 * time.Millisecond,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service, flaky, ledger := serve(t, tc.latency, tc.routes)
				start := time.Now()
				receipt, err := service.Checkout(t.Context(), order)
				took := time.Since(start)
				if tc.reason == nil {
					require.NoError(t, err)
					assert.Equal(t, "o1", receipt.Order)
				} else {
					require.ErrorIs(t, err, tc.reason)
					var status *shop.StatusError
					assert.ErrorAs(t, err, &status, "the last answer is kept")
				}
				synctest.Wait()
				assert.Equal(t, tc.attempts, attempts(flaky, tc.route))
				assert.Len(t, ledger.Receipts(), tc.charges)
				assert.GreaterOrEqual(t, took, tc.atLeast)
				assert.LessOrEqual(t, took, tc.atMost)
			})
		})
	}
}

func TestCheckoutEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, _, _ := serve(t, 0, map[string]flakyserver.Behaviour{"PUT /stock/{id}": flakyserver.Throttled(3 * time.Second)})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := service.Checkout(ctx, order)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, time.Second, time.Since(start), "the wait of three seconds ends at once")
	})
}

func TestABadPolicyIsRefusedBeforeTheFirstOrder(t *testing.T) {
	_, err := NewService(memhttp.URL, http.DefaultClient, otelretry.WithMaxAttempts(0))
	require.ErrorContains(t, err, "WithMaxAttempts")
}
