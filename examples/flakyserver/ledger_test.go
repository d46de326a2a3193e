package flakyserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/retrykit/retrykit/examples/internal/memhttp"
)

const book = `{"order":"o1","amount_cents":1999,"currency":"EUR"}`

type chargeResult struct {
	status     int
	replayed   bool
	retryAfter string
	receipt    Receipt
}

// charge posts once; within bounds the time that it waits for the answer.
func charge(t *testing.T, client *http.Client, within time.Duration, caller, key, body string) (chargeResult, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, memhttp.URL+"/charges", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set(CallerHeader, caller)
	if key != "" {
		req.Header.Set(IdempotencyKeyHeader, key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return chargeResult{}, err
	}
	defer resp.Body.Close()
	got := chargeResult{
		status:     resp.StatusCode,
		replayed:   resp.Header.Get(ReplayedHeader) == "true",
		retryAfter: resp.Header.Get("Retry-After"),
	}
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	if got.status == http.StatusCreated {
		require.NoError(t, json.Unmarshal(data, &got.receipt))
	}
	return got, nil
}

func chargeServer(t *testing.T, latency time.Duration, faults Behaviour) (*http.Client, *Ledger) {
	t.Helper()
	s := NewServer(1)
	ledger := NewLedger(latency)
	s.RouteCharges("POST /charges", ledger, faults)
	t.Cleanup(s.Close)
	return memhttp.Serve(t, s), ledger
}

func TestARepeatIsAnsweredWithTheStoredResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, 0, Fine())
		first, err := charge(t, client, time.Minute, "shop", "k1", book)
		require.NoError(t, err)
		assert.Equal(t, 201, first.status)
		assert.False(t, first.replayed)

		// The same payload in another spelling is the same payload.
		again, err := charge(t, client, time.Minute, "shop", "k1", `{ "currency":"EUR", "amount_cents":1999, "order":"o1" }`)
		require.NoError(t, err)
		assert.Equal(t, 201, again.status)
		assert.True(t, again.replayed)
		assert.Equal(t, first.receipt, again.receipt)
		assert.Len(t, ledger.Receipts(), 1)
	})
}

func TestAKeyIsBoundToCallerAndPayload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, 0, Fine())
		_, err := charge(t, client, time.Minute, "shop", "k1", book)
		require.NoError(t, err)

		other, err := charge(t, client, time.Minute, "kiosk", "k1", book)
		require.NoError(t, err)
		assert.Equal(t, 201, other.status)
		assert.False(t, other.replayed, "keys of different callers never meet")

		dearer, err := charge(t, client, time.Minute, "shop", "k1", strings.Replace(book, "1999", "2999", 1))
		require.NoError(t, err)
		assert.Equal(t, 422, dearer.status)
		assert.Len(t, ledger.Receipts(), 2)
	})
}

func TestOneOfManyConcurrentAttemptsCharges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, time.Second, Fine())
		var (
			wg       sync.WaitGroup
			mu       sync.Mutex
			statuses = map[int]int{}
			hints    = map[string]int{}
		)
		for range 20 {
			wg.Go(func() {
				got, err := charge(t, client, time.Minute, "shop", "k1", book)
				mu.Lock()
				defer mu.Unlock()
				assert.NoError(t, err)
				statuses[got.status]++
				hints[got.retryAfter]++
			})
		}
		wg.Wait()
		assert.Equal(t, map[int]int{201: 1, 409: 19}, statuses)
		assert.Equal(t, map[string]int{"": 1, "1": 19}, hints, "a conflict says when to come back")
		assert.Len(t, ledger.Receipts(), 1)
	})
}

func TestAChargeIsMadeThoughItsCallerTimedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, time.Second, Fine())
		_, err := charge(t, client, 800*time.Millisecond, "shop", "k1", book)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		time.Sleep(300 * time.Millisecond)
		got, err := charge(t, client, 800*time.Millisecond, "shop", "k1", book)
		require.NoError(t, err)
		assert.Equal(t, 201, got.status)
		assert.True(t, got.replayed)
		assert.Len(t, ledger.Receipts(), 1)
	})
}

func TestALostAnswerHasCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, 0, First(1, Hangs()))
		_, err := charge(t, client, time.Second, "shop", "k1", book)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Len(t, ledger.Receipts(), 1)

		got, err := charge(t, client, time.Second, "shop", "k1", book)
		require.NoError(t, err)
		assert.True(t, got.replayed)
		assert.Len(t, ledger.Receipts(), 1)
	})
}

func TestAFaultChargesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, 0, First(1, Down()))
		got, err := charge(t, client, time.Second, "shop", "k1", book)
		require.NoError(t, err)
		assert.Equal(t, 503, got.status)
		assert.Empty(t, ledger.Receipts())

		got, err = charge(t, client, time.Second, "shop", "k1", book)
		require.NoError(t, err)
		assert.Equal(t, 201, got.status)
		assert.False(t, got.replayed)
	})
}

func TestBadChargesAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, key, body string
		want            int
	}{
		{"no key", "", book, 400},
		{"a key without end", strings.Repeat("k", maxKeyLength+1), book, 400},
		{"not JSON", "k", "order=o1", 400},
		{"empty", "k", "", 400},
		{"too large", "k", `{"order":"` + strings.Repeat("o", maxChargeBody) + `"}`, 413},
		{"no amount", "k", `{"order":"o1","currency":"EUR"}`, 422},
		{"a negative amount", "k", strings.Replace(book, "1999", "-1", 1), 422},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, ledger := chargeServer(t, 0, Fine())
				got, err := charge(t, client, time.Minute, "shop", tc.key, tc.body)
				require.NoError(t, err)
				assert.Equal(t, tc.want, got.status)
				assert.Empty(t, ledger.Receipts())
			})
		})
	}
}

func TestKeysAreForgottenAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, ledger := chargeServer(t, 0, Fine())
		for _, wait := range []time.Duration{0, keepKeys - 1, 1} {
			time.Sleep(wait)
			_, err := charge(t, client, time.Minute, "shop", "k1", book)
			require.NoError(t, err)
		}
		assert.Len(t, ledger.Receipts(), 2, "charged anew only once the key is a day old")
		ledger.mu.Lock()
		defer ledger.mu.Unlock()
		assert.Len(t, ledger.entries, 1)
		assert.Len(t, ledger.expiry, 1)
	})
}
