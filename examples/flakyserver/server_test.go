package flakyserver

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/retrykit/retrykit/examples/internal/memhttp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// get asks once and returns the status and the Retry-After header.
func get(t *testing.T, client *http.Client, path string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, memhttp.URL+path, nil)
	require.NoError(t, err)
	resp, err := client.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode, resp.Header.Get("Retry-After")
}

func standard(t *testing.T) (*Server, *Ledger) {
	t.Helper()
	s, ledger, err := NewStandard(1, 3*time.Second, 0.3)
	require.NoError(t, err)
	return s, ledger
}

func TestStandardRoutesAnswerAsScripted(t *testing.T) {
	for _, tc := range []struct {
		path string
		want []int
	}{
		{"/recovers/a", []int{503, 503, 503, 503, 200}},
		{"/missing/a", []int{404, 404, 404}},
		{"/down/a", []int{503, 503, 503, 503, 503, 503}},
		{"/throttled/a", []int{429, 429, 429}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := standard(t)
				client := memhttp.Serve(t, s)
				var got []int
				for range tc.want {
					status, _ := get(t, client, tc.path)
					got = append(got, status)
				}
				assert.Equal(t, tc.want, got)
			})
		})
	}
}

func TestRecoveryIsCountedPerRequestAndStartsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := standard(t)
		client := memhttp.Serve(t, s)
		// 12 clients, each of which fails 4 times and then succeeds: 60 attempts.
		for round := range 5 {
			for c := range 12 {
				status, _ := get(t, client, fmt.Sprintf("/recovers/%d", c))
				want := 503
				if round == 4 {
					want = 200
				}
				assert.Equal(t, want, status, "client %d, attempt %d", c, round+1)
			}
		}
		assert.Equal(t, []Stats{{
			Route: "/recovers/{id}", Requests: 12, Attempts: 60, Successes: 12,
			ByStatus: map[int]int{200: 12, 503: 48},
		}}, s.Stats())

		status, _ := get(t, client, "/recovers/0")
		assert.Equal(t, 503, status, "the request after a success is a new one")
	})
}

func TestThrottledWantsTheWholeWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := standard(t)
		client := memhttp.Serve(t, s)

		status, hint := get(t, client, "/throttled/a")
		assert.Equal(t, 429, status)
		assert.Equal(t, "3", hint)

		time.Sleep(2999 * time.Millisecond)
		status, hint = get(t, client, "/throttled/a")
		assert.Equal(t, 429, status, "too soon by a millisecond")
		assert.Equal(t, "3", hint, "and the quota is spent again")

		time.Sleep(3 * time.Second)
		status, hint = get(t, client, "/throttled/a")
		assert.Equal(t, 200, status)
		assert.Empty(t, hint)
	})
}

func TestRetryAfterIsRoundedUpToSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "1", time.Second: "1", time.Second + 1: "2", 3 * time.Second: "3",
	} {
		assert.Equal(t, want, retryAfter(d), "%v", d)
	}
}

func TestHangsUntilTheCallerGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := standard(t)
		client := memhttp.Serve(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, memhttp.URL+"/hangs/a", nil)
		require.NoError(t, err)

		start := time.Now()
		_, err = client.Do(req)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Hour, time.Since(start))
		assert.Equal(t, []Stats{{
			Route: "/hangs/{id}", Requests: 1, Attempts: 1, ByStatus: map[int]int{0: 1},
		}}, s.Stats())
	})
}

func TestCloseCutsHangingAndSlowAttempts(t *testing.T) {
	for _, path := range []string{"/hangs/a", "/slow/a"} {
		t.Run(path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := standard(t)
				s.Route("/slow/{id}", Slow(time.Hour))
				client := memhttp.Serve(t, s)
				time.AfterFunc(time.Minute, s.Close)

				start := time.Now()
				// A POST: net/http itself repeats a GET whose connection was cut.
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, memhttp.URL+path, nil)
				require.NoError(t, err)
				_, err = client.Do(req)
				require.Error(t, err, "an aborted attempt has no answer, not an empty 200")
				assert.Equal(t, time.Minute, time.Since(start))
				s.Close()
			})
		})
	}
}

func TestSlowAnswersLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(1)
		s.Route("/slow/{id}", Slow(900*time.Millisecond))
		client := memhttp.Serve(t, s)
		start := time.Now()
		status, _ := get(t, client, "/slow/a")
		assert.Equal(t, 200, status)
		assert.Equal(t, 900*time.Millisecond, time.Since(start))
	})
}

func TestSometimesFailsTheShareItWasGiven(t *testing.T) {
	b, err := Sometimes(0.3)
	require.NoError(t, err)
	failed := 0
	const n = 10_000
	for i := range n {
		if b(Attempt{Route: "/sometimes/{id}", ID: strconv.Itoa(i), Number: 1, seed: 1}).Status == 503 {
			failed++
		}
	}
	assert.InDelta(t, 0.3*n, failed, 0.02*n)
}

func TestRandomnessComesFromSeedRequestAndNumberAlone(t *testing.T) {
	a := Attempt{Route: "/x/{id}", ID: "7", Number: 2, seed: 1}
	assert.Equal(t, a.Draw(), a.Draw())
	for name, other := range map[string]Attempt{
		"route":  {Route: "/y/{id}", ID: "7", Number: 2, seed: 1},
		"id":     {Route: "/x/{id}", ID: "8", Number: 2, seed: 1},
		"number": {Route: "/x/{id}", ID: "7", Number: 3, seed: 1},
		"seed":   {Route: "/x/{id}", ID: "7", Number: 2, seed: 2},
	} {
		assert.NotEqual(t, a.Draw(), other.Draw(), name)
	}
	next := a
	next.Number++
	assert.Equal(t, a.DrawRequest(), next.DrawRequest(), "all attempts of a request share it")
}

func TestMixSplitsTheRequests(t *testing.T) {
	b, err := Mix(Share{0.2, Down()}, Share{0.1, Missing()})
	require.NoError(t, err)
	counts := map[int]int{}
	const n = 10_000
	for i := range n {
		a := Attempt{Route: "/mix/{id}", ID: strconv.Itoa(i), Number: 1, seed: 3}
		first := b(a)
		counts[first.Status]++
		a.Number = 2
		assert.Equal(t, first, b(a), "a request meets one behaviour with all of its attempts")
	}
	assert.InDelta(t, 0.2*n, counts[503], 0.02*n)
	assert.InDelta(t, 0.1*n, counts[404], 0.02*n)
	assert.InDelta(t, 0.7*n, counts[0], 0.02*n)
}

func TestSettingsOutOfBoundsAreRefused(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, share := range []float64{-0.1, 1.1, nan} {
		_, err := Sometimes(share)
		assert.ErrorContains(t, err, "0 to 1")
		_, err = Mix(Share{share, Down()})
		assert.ErrorContains(t, err, "0 to 1")
	}
	_, err := Mix(Share{0.6, Down()}, Share{0.5, Missing()})
	assert.ErrorContains(t, err, "add up to 1.1")
	_, err = Mix(Share{0.6, nil})
	assert.ErrorContains(t, err, "no behaviour")
	_, _, err = NewStandard(1, 0, 0.3)
	assert.ErrorContains(t, err, "Retry-After")
	_, _, err = NewStandard(1, time.Second, 2)
	assert.ErrorContains(t, err, "0 to 1")

	_, err = Mix(Share{0.7, Down()}, Share{0.2, Missing()}, Share{0.1, Hangs()})
	assert.NoError(t, err, "decimals that add up to a hair more than 1")
}
