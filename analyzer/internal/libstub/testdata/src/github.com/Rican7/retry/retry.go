// Package retry has the signatures of github.com/Rican7/retry.
package retry

import "github.com/Rican7/retry/strategy"

type Action func(attempt uint) error

func Retry(action Action, strategies ...strategy.Strategy) error { return nil }
