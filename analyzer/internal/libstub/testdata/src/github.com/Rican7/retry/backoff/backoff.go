// Package backoff has the signatures of github.com/Rican7/retry/backoff.
package backoff

import "time"

type Algorithm func(attempt uint) time.Duration

func Linear(factor time.Duration) Algorithm            { return nil }
func BinaryExponential(factor time.Duration) Algorithm { return nil }
