package before

import (
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
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var order = shop.Order{ID: "o1", AmountCents: 1999, Currency: "EUR"}

// serve starts the dependencies; a route that is not named is fine.
func serve(t *testing.T, routes map[string]flakyserver.Behaviour, charges flakyserver.Behaviour) (*Service, *flakyserver.Server, *flakyserver.Ledger) {
	t.Helper()
	flaky := flakyserver.NewServer(1)
	for _, route := range []string{"GET /customers/{id}", "PUT /stock/{id}", "PUT /confirmations/{id}"} {
		b := routes[route]
		if b == nil {
			b = flakyserver.Fine()
		}
		flaky.Route(route, b)
	}
	ledger := flakyserver.NewLedger(0)
	flaky.RouteCharges("POST /charges", ledger, charges)
	t.Cleanup(flaky.Close)
	client := memhttp.Serve(t, flaky)
	client.Timeout = time.Second
	return NewService(memhttp.URL, client), flaky, ledger
}

func TestItWorksAsLongAsItsDependenciesDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, _, ledger := serve(t, nil, flakyserver.Fine())
		receipt, err := service.Checkout(t.Context(), order)
		require.NoError(t, err)
		assert.Equal(t, "o1", receipt.Order)
		assert.Len(t, ledger.Receipts(), 1)
	})
}

// What the mistakes cost, so that the example stays one of real harm.

func TestALostAnswerChargesTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, _, ledger := serve(t, nil, flakyserver.First(1, flakyserver.Hangs()))
		_, err := service.Checkout(t.Context(), order)
		require.NoError(t, err, "and nothing tells")
		assert.Len(t, ledger.Receipts(), 2)
	})
}

func TestADeclinedChargeIsTriedForFifteenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, flaky, _ := serve(t, nil, flakyserver.Fine())
		start := time.Now()
		_, err := service.Checkout(t.Context(), shop.Order{ID: "o1", AmountCents: -1, Currency: "EUR"})
		require.Error(t, err)
		assert.InDelta(t, 15*time.Minute, time.Since(start), float64(2*time.Minute))
		for _, s := range flaky.Stats() {
			if s.Route == "POST /charges" {
				assert.Greater(t, s.ByStatus[http.StatusUnprocessableEntity], 10)
			}
		}
	})
}

func TestAMissingCustomerIsLookedUpFiveTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service, flaky, _ := serve(t, map[string]flakyserver.Behaviour{"GET /customers/{id}": flakyserver.Missing()}, flakyserver.Fine())
		start := time.Now()
		_, err := service.Checkout(t.Context(), order)
		require.NoError(t, err)
		assert.Equal(t, 2*time.Second, time.Since(start), "200 + 400 + 600 + 800 ms of sleep")
		assert.Equal(t, map[int]int{http.StatusNotFound: 5}, flaky.Stats()[0].ByStatus)
	})
}
