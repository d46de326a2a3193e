package cases

import (
	"context"
	"errors"
	"net/http"
	"time"

	avast "github.com/avast/retry-go/v5"
	"github.com/aws/aws-sdk-go-v2/aws"
	awsretry "github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go/middleware"
	"github.com/cenkalti/backoff/v5"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/googleapis/gax-go/v2"
	"github.com/hashicorp/go-retryablehttp"
	sethvargo "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
)

// Peers gives the other libraries, each used as its documentation shows and
// with as much made beforehand as it allows.
func Peers() []Case {
	return []Case{
		{"cenkalti/backoff v5", cenkalti}, {"avast/retry-go v5", avastRetry}, {"sethvargo/go-retry", sethvargoRetry},
		{"failsafe-go", failsafeRetry}, {"gax-go v2", gaxRetry}, {"aws-sdk-go-v2 retry", awsRetry},
		{"k8s.io wait", k8sWait}, {"go-retryablehttp", retryableHTTP},
	}
}

func cenkalti(s Scenario) func(context.Context) error {
	return func(ctx context.Context) error {
		calls := 0
		_, err := backoff.Retry(ctx, func() (int, error) {
			value, err := attempt(&s, &calls)
			if err != nil && !retryable(err) {
				return value, backoff.Permanent(err)
			}
			return value, err
		}, backoff.WithBackOff(backoff.NewConstantBackOff(shortest)), backoff.WithMaxTries(maxAttempts), backoff.WithMaxElapsedTime(deadline))
		return err
	}
}

func avastRetry(s Scenario) func(context.Context) error {
	return func(ctx context.Context) error {
		calls := 0
		// The context is an option: a retrier can't be shared by requests.
		_, err := avast.NewWithData[int](avast.Context(ctx), avast.Attempts(maxAttempts), avast.Delay(shortest),
			avast.DelayType(avast.FixedDelay), avast.RetryIf(retryable), avast.LastErrorOnly(true),
		).Do(func() (int, error) { return attempt(&s, &calls) })
		return err
	}
}

func sethvargoRetry(s Scenario) func(context.Context) error {
	return func(ctx context.Context) error {
		calls := 0
		policy := sethvargo.WithMaxDuration(deadline, sethvargo.WithMaxRetries(maxAttempts-1, sethvargo.NewConstant(shortest)))
		_, err := sethvargo.DoValue(ctx, policy, func(context.Context) (int, error) {
			value, err := attempt(&s, &calls)
			if err != nil && retryable(err) {
				return value, sethvargo.RetryableError(err)
			}
			return value, err
		})
		return err
	}
}

func failsafeRetry(s Scenario) func(context.Context) error {
	policy := retrypolicy.NewBuilder[int]().HandleIf(func(_ int, err error) bool { return err != nil && retryable(err) }).
		WithMaxAttempts(maxAttempts).WithMaxDuration(deadline).WithDelay(shortest).Build()
	return func(ctx context.Context) error {
		calls := 0
		_, err := failsafe.With(policy).WithContext(ctx).Get(func() (int, error) { return attempt(&s, &calls) })
		return err
	}
}

// gax has no bound on attempts: its retryer counts none, and the deadline is
// the context's.
func gaxRetry(s Scenario) func(context.Context) error {
	option := gax.WithRetry(func() gax.Retryer {
		return gax.OnErrorFunc(gax.Backoff{Initial: shortest, Max: shortest}, retryable)
	})
	return func(ctx context.Context) error {
		calls := 0
		return gax.Invoke(ctx, func(context.Context, gax.CallSettings) error {
			_, err := attempt(&s, &calls)
			return err
		}, option)
	}
}

type awsHandler func() (int, error)

func (h awsHandler) HandleFinalize(context.Context, middleware.FinalizeInput) (middleware.FinalizeOutput, middleware.Metadata, error) {
	value, err := h()
	return middleware.FinalizeOutput{Result: value}, middleware.Metadata{}, err
}

func awsRetry(s Scenario) func(context.Context) error {
	retryer := awsretry.NewStandard(func(o *awsretry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = noQuota{}
		o.Backoff = awsretry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return shortest, nil })
		o.Retryables = []awsretry.IsErrorRetryable{awsretry.IsErrorRetryableFunc(func(err error) aws.Ternary {
			return aws.BoolTernary(retryable(err))
		})}
	})
	loop := awsretry.NewAttemptMiddleware(retryer, func(request any) any { return request })
	return func(ctx context.Context) error {
		calls := 0
		_, _, err := loop.HandleFinalize(ctx, middleware.FinalizeInput{}, awsHandler(func() (int, error) { return attempt(&s, &calls) }))
		return err
	}
}

// noQuota is the AWS SDK's way to turn its client-side rate limit off.
type noQuota struct{}

func (noQuota) GetToken(context.Context, uint) (func() error, error) { return noRelease, nil }
func (noQuota) AddTokens(uint) error                                 { return nil }
func noRelease() error                                               { return nil }

func k8sWait(s Scenario) func(context.Context) error {
	policy := wait.Backoff{Duration: shortest, Factor: 1, Steps: maxAttempts}
	return func(ctx context.Context) error {
		calls := 0
		return wait.ExponentialBackoffWithContext(ctx, policy, func(context.Context) (bool, error) {
			_, err := attempt(&s, &calls)
			if err != nil && retryable(err) {
				return false, nil
			}
			return err == nil, err
		})
	}
}

// callsKey finds the count of a request's attempts in its context.
type callsKey struct{}

// transport answers without a network.
type transport struct{ scenario *Scenario }

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	code := http.StatusOK
	if _, err := attempt(t.scenario, request.Context().Value(callsKey{}).(*int)); err != nil {
		code = err.(*StatusError).Code
	}
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody, Request: request}, nil
}

// retryableHTTP retries HTTP requests only, so that it pays for net/http too.
func retryableHTTP(s Scenario) func(context.Context) error {
	client := retryablehttp.NewClient()
	client.RetryMax, client.RetryWaitMin, client.RetryWaitMax, client.Logger = maxAttempts-1, shortest, shortest, nil
	client.HTTPClient = &http.Client{Transport: transport{&s}}
	client.CheckRetry = func(_ context.Context, response *http.Response, err error) (bool, error) {
		return err != nil || retryable(&StatusError{Code: response.StatusCode}), nil
	}
	return func(ctx context.Context) error {
		calls := 0
		ctx = context.WithValue(ctx, callsKey{}, &calls)
		request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, "http://bench.invalid/", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			err = &StatusError{Code: response.StatusCode}
		}
		return errors.Join(err, response.Body.Close())
	}
}
