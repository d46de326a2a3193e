package lib_others

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/flowchartsman/retry"
	jujuretry "github.com/juju/retry"
	"github.com/matryer/try"
	"github.com/retrykit/retrykit/otelretry"
	"github.com/samber/lo"
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

func getContext(context.Context) error { return get() }

func bare(ctx context.Context) {
	_ = retrier.New(retrier.ConstantBackoff(3, time.Second), nil).Run(get)                                       // want `retries every error from http\.Get, .* is sent 4 times`
	_ = failsafe.With[any](retrypolicy.NewWithDefaults[any]()).Run(get)                                          // want `is sent 3 times`
	_ = jujuretry.Call(jujuretry.CallArgs{Func: get, Attempts: 5, Delay: time.Second})                           // want `is sent 5 times`
	_ = retry.NewRetrier(3, time.Second, time.Minute).RunContext(ctx, getContext)                                // want `retries every error from get, .* is sent 3 times`
	_, _ = lo.Attempt(4, func(int) error { return get() })                                                       // want `is sent 4 times`
	_ = k8sretry.OnError(k8sretry.DefaultRetry, func(error) bool { return true }, get)                           // want `is sent 5 times`
	_ = try.Do(func(attempt int) (bool, error) { return attempt < 3, get() })                                    // want `is sent 10 times`
	_ = wait.ExponentialBackoff(wait.Backoff{Steps: 3, Duration: time.Second, Factor: 2}, func() (bool, error) { // want `is sent 3 times`
		if err := get(); err != nil {
			return false, nil
		}
		return true, nil
	})
}

var handle func(error)

var payments, _ = otelretry.New("payments")

func silent(ctx context.Context, class retrier.Classifier) {
	_ = retrier.New(retrier.ConstantBackoff(3, time.Second), class).Run(get)
	_ = failsafe.With[any](retrypolicy.NewBuilder[any]().HandleErrors(net.ErrClosed).Build()).Run(get)
	_ = jujuretry.Call(jujuretry.CallArgs{Func: get, IsFatalError: func(err error) bool { return errors.Is(err, net.ErrClosed) }})
	_ = k8sretry.RetryOnConflict(k8sretry.DefaultRetry, get)
	_ = payments.Operation("charge").Run(ctx, getContext)
	_ = retry.NewRetrier(3, time.Second, time.Minute).Run(func() error {
		err := get()
		if errors.Is(err, net.ErrClosed) {
			return retry.Stop(err)
		}
		return err
	})
	_ = try.Do(func(attempt int) (bool, error) {
		err := get()
		return errors.Is(err, net.ErrClosed), err
	})
	// A condition that stops on an error and waits for a state is no retry.
	_ = wait.Poll(time.Second, time.Minute, func() (bool, error) {
		resp, err := http.Get("http://service")
		if err != nil {
			return false, err
		}
		return resp.ContentLength > 0, nil
	})
	// It never answers that it is done: success is followed by another round too.
	_ = wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) {
		if err := get(); err != nil {
			handle(err)
		}
		return false, nil
	})
	wait.Until(func() { _ = get() }, time.Second, ctx.Done())
}
