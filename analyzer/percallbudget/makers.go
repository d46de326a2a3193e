package percallbudget

import "go/types"

// makers are the functions that make what is meant to be shared, by full name,
// with what they make.
var makers = map[string]string{
	"github.com/sony/gobreaker.NewCircuitBreaker":                       "circuit breaker",
	"github.com/sony/gobreaker.NewTwoStepCircuitBreaker":                "circuit breaker",
	"github.com/sony/gobreaker/v2.NewCircuitBreaker":                    "circuit breaker",
	"github.com/sony/gobreaker/v2.NewTwoStepCircuitBreaker":             "circuit breaker",
	"github.com/eapache/go-resiliency/breaker.New":                      "circuit breaker",
	"github.com/mercari/go-circuitbreaker.New":                          "circuit breaker",
	"github.com/rubyist/circuitbreaker.NewBreaker":                      "circuit breaker",
	"github.com/rubyist/circuitbreaker.NewThresholdBreaker":             "circuit breaker",
	"github.com/rubyist/circuitbreaker.NewConsecutiveBreaker":           "circuit breaker",
	"github.com/rubyist/circuitbreaker.NewRateBreaker":                  "circuit breaker",
	"github.com/failsafe-go/failsafe-go/circuitbreaker.NewWithDefaults": "circuit breaker",
	"golang.org/x/time/rate.NewLimiter":                                 "rate limiter",
	"go.uber.org/ratelimit.New":                                         "rate limiter",
	"github.com/juju/ratelimit.NewBucket":                               "rate limiter",
	"github.com/juju/ratelimit.NewBucketWithRate":                       "rate limiter",
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit.NewTokenRateLimit":      "retry budget",
	"github.com/retrykit/retrykit/otelretry.NewShareBudget":             "retry budget",
	"github.com/retrykit/retrykit/otelretry.NewThrottlingBudget":        "retry budget",
	"github.com/retrykit/retrykit/otelretry.New":                        "retry policy",
	"github.com/retrykit/retrykit/otelretry/otelretrygobreaker.New":     "circuit breaker",
}

// harm is what becomes of one that is made for each call.
var harm = map[string]string{
	"circuit breaker": "it has seen no failure yet and never opens",
	"rate limiter":    "it has seen no call yet and lets everything through",
	"retry budget":    "it has seen no traffic yet and bounds nothing",
	"retry policy":    "it prepares its instruments every time and shares no budget",
}

// maker is what a function makes, "" if it makes nothing of the kind.
func maker(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	return makers[fn.Pkg().Path()+"."+fn.Name()]
}
