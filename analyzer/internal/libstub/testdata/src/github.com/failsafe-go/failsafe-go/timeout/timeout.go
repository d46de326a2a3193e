// Package timeout has the signatures of github.com/failsafe-go/failsafe-go/timeout.
package timeout

import (
	"time"

	"github.com/failsafe-go/failsafe-go"
)

type Timeout[R any] interface{ failsafe.Policy[R] }

func New[R any](timeoutDelay time.Duration) Timeout[R] { return nil }
