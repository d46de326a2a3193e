package otelretrygobreaker

import (
	"context"
	"errors"
	"net/http"

	"github.com/sony/gobreaker/v2"

	"github.com/retrykit/retrykit/otelretry"
)

// New makes a breaker with these settings; gobreaker's documentation says what
// they mean and which defaults they have: without a ReadyToTrip it opens at
// more than 5 consecutive failures, and tries again after 60 s. The result is
// safe for concurrent use.
//
// Two defaults differ, since an attempt that fails doesn't always speak against
// the dependency. Without an IsSuccessful, an error with an HTTP status (a
// method HTTPStatusCode or StatusCode) of 4xx counts as a success, but for 408
// and 429: the dependency works, and said that the request was wrong. Without
// an IsExcluded, an attempt that its caller canceled counts as neither.
func New(settings gobreaker.Settings) otelretry.Breaker {
	if settings.IsSuccessful == nil {
		settings.IsSuccessful = answered
	}
	if settings.IsExcluded == nil {
		settings.IsExcluded = func(err error) bool { return errors.Is(err, context.Canceled) }
	}
	return gobreaker.NewTwoStepCircuitBreaker[any](settings)
}

// answered reports whether an attempt shows that the dependency works.
func answered(err error) bool {
	if err == nil {
		return true
	}
	status := 0
	var long interface{ HTTPStatusCode() int }
	var short interface{ StatusCode() int }
	switch {
	case errors.As(err, &long):
		status = long.HTTPStatusCode()
	case errors.As(err, &short):
		status = short.StatusCode()
	}
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}
