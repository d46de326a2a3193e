package lib_waits

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/Rican7/retry"
	ricanbackoff "github.com/Rican7/retry/backoff"
	"github.com/Rican7/retry/strategy"
	avast "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
	dskit "github.com/grafana/dskit/backoff"
	"github.com/matryer/try"
	sethvargo "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
	k8sretry "k8s.io/client-go/util/retry"
)

func get() error {
	resp, err := http.Get("http://service")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func blind(ctx context.Context) {
	_ = backoff.Retry(get, backoff.NewExponentialBackOff())                    // want `backoff\.Retry waits before retrying http\.Get without watching ctx, so a cancelled ctx still waits it out; wrap the backoff in backoff\.WithContext`
	_ = avast.Do(get, avast.Attempts(3))                                       // want `avast\.Do waits .* without watching ctx, .*; pass retry\.Context`
	_ = retrier.New(retrier.ConstantBackoff(3, time.Second), nil).Run(get)     // want `Run waits .* without watching ctx, .*; call RunCtx`
	_ = k8sretry.RetryOnConflict(k8sretry.DefaultRetry, get)                   // want `k8sretry\.RetryOnConflict waits .* and can't watch ctx, .*; use a library whose wait takes a context`
	_ = wait.ExponentialBackoff(wait.Backoff{Steps: 3}, func() (bool, error) { // want `wait\.ExponentialBackoff waits .* without watching ctx`
		if err := get(); err != nil {
			return false, nil
		}
		return true, nil
	})
	_ = try.Do(func(attempt int) (bool, error) {
		err := get()
		if err != nil {
			time.Sleep(time.Minute) // want `waits 1m0s with time\.Sleep before retrying get`
		}
		return attempt < 3, err
	})
}

func noContext() {
	_ = backoff.Retry(get, backoff.NewExponentialBackOff()) // want `backoff\.Retry waits before retrying http\.Get, and nothing can interrupt it; take a context and wrap the backoff`
}

func interruptible(ctx context.Context, given backoff.BackOff, opts []avast.Option) {
	_ = backoff.Retry(get, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
	var b backoff.BackOff = backoff.NewExponentialBackOff()
	b = backoff.WithContext(b, ctx)
	_ = backoff.Retry(get, b)
	_ = backoff.Retry(get, given)
	_, _ = backoff5.Retry(ctx, func() (int, error) { return 0, get() })
	_ = avast.Do(get, avast.Context(ctx))
	_ = avast.Do(get, opts...)
	_ = sethvargo.Do(ctx, sethvargo.NewConstant(time.Second), func(context.Context) error { return sethvargo.RetryableError(get()) })
	_ = retrier.New(retrier.ConstantBackoff(3, time.Second), nil).RunCtx(ctx, func(context.Context) error { return get() })
	// There is no wait at all.
	_ = retry.Retry(func(uint) error { return get() })
}

// Loops of one's own that let a library wait.

func strategyLoop(ctx context.Context) error {
	var err error
	pause := strategy.Backoff(ricanbackoff.Linear(100 * time.Millisecond))
	for i := range 20 {
		if err = get(); err == nil {
			return nil
		}
		pause(uint(i)) // want `waits`
	}
	return err
}

func iteratorLoop(ctx context.Context, cfg dskit.Config) error {
	var err error
	for b := dskit.New(ctx, cfg); b.Ongoing(); b.Wait() {
		if err = get(); err == nil {
			return nil
		}
	}
	return err
}

// Each failure ends it. What it comes back for is an answer that is not there yet.
func polled() error {
	return backoff.Retry(func() error {
		resp, err := http.Get("http://service/state")
		if err != nil {
			return backoff.Permanent(err)
		}
		defer resp.Body.Close()
		if resp.ContentLength == 0 {
			return errNotYet
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

func polledOnFailure() error {
	return backoff.Retry(func() error { // want `backoff\.Retry waits before retrying http\.Get, and nothing can interrupt it`
		resp, err := http.Get("http://service/state")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.ContentLength == 0 {
			return errNotYet
		}
		return nil
	}, backoff.NewExponentialBackOff())
}

var errNotYet = errors.New("not yet")
